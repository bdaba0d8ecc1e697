#!/usr/bin/env python3
"""check.py SCHEMA FILE...: holds JSON reports (*.json) and logs of events (*.jsonl) to the schema.

Readers must ignore members that they do not know, so the schema permits them. Here they are errors: a member that the
schema does not name is not documented either.
"""
import json
import sys

import jsonschema


def strict(schema):
    """The same schema with no other members than those that it names."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(value) for name, value in schema.items()}
    if "required" in made and "properties" in made and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def documents(path):
    with open(path, encoding="utf-8") as file:
        if path.endswith(".jsonl"):
            for number, line in enumerate(file, 1):
                yield f"{path}:{number}", json.loads(line)
        else:
            yield path, json.load(file)


def main(schema_path, paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    schema = strict(schema)
    event = {"$schema": schema["$schema"], "$ref": "#/$defs/event", "$defs": schema["$defs"]}
    count = failures = 0
    for path in paths:
        validator = jsonschema.Draft202012Validator(event if path.endswith(".jsonl") else schema)
        for name, document in documents(path):
            count += 1
            error = jsonschema.exceptions.best_match(validator.iter_errors(document))
            if error is not None:
                failures += 1
                print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
    print(f"{count} documents, {failures} of them not as the schema says")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
