# Writes a C++ file with the contents of files: cmake -D OUTPUT=... -D HEADER=... -D FUNCTIONS=a;b -D FILES=x;y -P embed.cmake
# defines std::string_view a() with the bytes of x, and so on.
set(text "#include \"${HEADER}\"\n\nnamespace reex {\nnamespace {\n\n")
set(functions "")
foreach(function file IN ZIP_LISTS FUNCTIONS FILES)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND text "constexpr char k_${function}[] = {${bytes}};\n")
  string(APPEND functions "std::string_view ${function}() { return {k_${function}, sizeof(k_${function})}; }\n")
endforeach()
string(APPEND text "\n} // namespace\n\n${functions}\n} // namespace reex\n")
file(WRITE "${OUTPUT}" "${text}")
