// The step cursor of the page, and the buttons that copy commands. Without it, everything can still be read.
'use strict';

(() => {
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // A cursor for the interleaving of one failure.
  class Cursor {
    constructor(failure) {
      this.failure = failure;
      this.trace = failure.querySelector('.trace');
      this.panel = failure.querySelector('.panel');
      this.steps = [...this.trace.querySelectorAll('li.step')];
      this.sources = JSON.parse(failure.querySelector('script.sources').textContent);
      this.at = -1;
      failure.querySelector('.keys').hidden = false;
      this.trace.tabIndex = 0;
      this.trace.setAttribute('role', 'group');
      this.trace.setAttribute('aria-label', 'Interleaving: j and k walk the steps');
      this.trace.addEventListener('click', (event) => {
        if (event.target.closest('a, summary')) return;
        const step = event.target.closest('li.step');
        if (step) this.select(this.steps.indexOf(step));
      });
    }

    // Steps inside closed folds are passed over by single steps, and opened by a jump.
    move(by, wanted) {
      let next = this.at + by;
      while (this.steps[next] && !wanted(this.steps[next])) next += by;
      if (this.steps[next]) this.select(next);
    }

    select(index) {
      if (this.at >= 0) {
        this.steps[this.at].removeAttribute('aria-current');
        this.light(false);
      }
      for (const other of index < 0 ? [] : cursors) if (other !== this && other.at >= 0) other.select(-1);
      this.at = index;
      if (index < 0) {
        this.panel.hidden = true;
        document.body.classList.remove('stepping');
        return;
      }
      const step = this.steps[index];
      const fold = step.closest('li.fold details');
      if (fold) fold.open = true;
      step.setAttribute('aria-current', 'step');
      this.light(true);
      this.show(step);
      step.scrollIntoView({block: 'nearest'});
    }

    // The changed line that the step passed.
    light(on) {
      const link = this.steps[this.at].querySelector('a.mark');
      const line = link && document.getElementById(link.hash.slice(1));
      if (line) line.classList.toggle('lit', on);
    }

    show(step) {
      const heading = make('p', 'panel-head');
      heading.append(make('strong', '', `Step ${step.querySelector('.no').textContent}`), ' ',
        step.querySelector('.who').cloneNode(true), ' ', make('code', 'op', step.querySelector('.op').textContent));
      const parts = [heading];
      const file = step.dataset.file;
      const lines = file && this.sources[file];
      if (lines) {
        const at = Number(step.dataset.line);
        parts.push(make('p', 'place', `${file}:${at}`));
        const list = make('ol', 'source');
        for (let line = at - 4; line <= at + 4; ++line) {
          if (lines[line] === undefined) continue;
          const row = make('li', line === at ? 'here' : '');
          row.append(make('span', 'ln', String(line)), make('code', '', lines[line]));
          list.append(row);
        }
        parts.push(list);
      }
      parts.push(this.threads());
      this.panel.replaceChildren(...parts);
      this.panel.hidden = false;
      document.body.classList.add('stepping');
    }

    // The last operation of each thread up to here.
    threads() {
      const last = new Map();
      for (const step of this.steps.slice(0, this.at + 1)) last.set(Number(step.dataset.thread), step);
      const list = make('ul', 'standing');
      for (const thread of [...last.keys()].sort((a, b) => a - b)) {
        const step = last.get(thread);
        const row = make('li');
        const place = step.dataset.file ? ` ${step.dataset.file.split('/').pop()}:${step.dataset.line}` : '';
        row.append(step.querySelector('.who').cloneNode(true), ' ', make('code', '', step.querySelector('.op').textContent),
          make('span', 'place', place));
        list.append(row);
      }
      return list;
    }

    toggleStack() {
      const stack = this.at >= 0 && this.steps[this.at].querySelector('details.stack');
      if (stack) stack.open = !stack.open;
    }
  }

  const cursors = [...document.querySelectorAll('.failure')].filter((f) => f.querySelector('.trace'))
    .map((failure) => new Cursor(failure));

  // The failure that the keys go to: the one with the focus or with a step selected, else the first in view.
  const active = () => cursors.find((c) => c.failure.contains(document.activeElement)) ||
    cursors.find((c) => c.at >= 0) ||
    cursors.find((c) => c.failure.getBoundingClientRect().bottom > 80);

  const visible = (step) => !step.closest('li.fold details:not([open])');
  const needed = (step) => step.dataset.needed !== undefined;

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
    const cursor = active();
    if (!cursor) return;
    // The arrows scroll the page, unless the interleaving has the focus or a step is selected.
    const arrows = cursor.at >= 0 || cursor.trace.contains(document.activeElement);
    switch (event.key) {
    case 'j': cursor.move(1, visible); break;
    case 'k': cursor.move(-1, visible); break;
    case 'ArrowDown': if (!arrows) return; cursor.move(1, visible); break;
    case 'ArrowUp': if (!arrows) return; cursor.move(-1, visible); break;
    case 'n': cursor.move(1, needed); break;
    case 'p': cursor.move(-1, needed); break;
    case 's': cursor.toggleStack(); break;
    case 'Escape': if (cursor.at < 0) return; cursor.select(-1); break;
    default: return;
    }
    event.preventDefault();
  });

  // A link to a step selects it; inside a fold, the fold opens.
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !target.matches('li.step')) return;
    const cursor = cursors.find((c) => c.steps.includes(target));
    if (cursor) cursor.select(cursor.steps.indexOf(target));
  };
  window.addEventListener('hashchange', follow);
  follow();

  // Pages that are served without TLS have no clipboard: there the command is selected.
  const copy = async (code) => {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(code.textContent);
      return 'Copied';
    }
    getSelection().selectAllChildren(code);
    return 'Selected';
  };
  for (const command of document.querySelectorAll('.cmd')) {
    const button = make('button', 'copy', 'Copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      button.textContent = await copy(command.querySelector('code'));
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    command.append(button);
  }

  // A printed page shows the outputs; folds of steps stay closed.
  window.addEventListener('beforeprint', () => {
    for (const output of document.querySelectorAll('details.output')) output.open = true;
  });
})();
