// What the counters (vitrine-widgets.js) are drawn of.

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; text is only ever text. */
export function make(name, attributes = {}, ...children) {
  const element = ['svg', 'g', 'rect'].includes(name)
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Makes the children of an element like others and changes only what differs: focus and selection stay,
 * and no animation begins anew.
 */
export function update(element, children) {
  const old = [...element.childNodes];
  if (old.length !== children.length) return element.replaceChildren(...children);
  for (const [at, child] of children.entries()) {
    const shown = old[at];
    if (shown.nodeName !== child.nodeName) shown.replaceWith(child);
    else if (child.nodeType === Node.TEXT_NODE) {
      if (shown.data !== child.data) shown.data = child.data;
    } else {
      updateAttributes(shown, child);
      update(shown, [...child.childNodes]);
    }
  }
}

/** Styles are left: a Content-Security-Policy may refuse them as attributes, and they never change. */
function updateAttributes(shown, { attributes }) {
  for (const { name } of [...shown.attributes]) {
    if (attributes.getNamedItem(name) === null) shown.removeAttribute(name);
  }
  for (const { name, value } of attributes) {
    if (name !== 'style' && shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
}

function rect(kind, x, width) {
  return make('rect', { class: kind, x: `${x}%`, width: `${width}%`, height: '100%' });
}

/** An entry of the key: a swatch and what it stands for. */
export function keyOf(kind, label) {
  const swatch = make('svg', {}, rect(kind, 0, 100));
  return make('span', {}, swatch, label);
}

/**
 * A bar chart that is a table: the bars are its picture, and what they show stands in its cells. Items
 * have an address, or null when they have no page (any more); undefined items are yet to come.
 */
export function chart(kind, items, rows, words) {
  const area = make('div', { class: items === undefined ? 'rows waiting' : 'rows' });
  area.style.setProperty('--rows', rows);
  if (items?.length === 0) area.append(make('p', { class: 'none' }, words.none));
  else if (items !== undefined) area.append(tableOf(kind, items, words));
  return [make('p', { class: 'kind', 'aria-hidden': 'true' }, words[kind]), area];
}

function tableOf(kind, items, words) {
  const most = Math.max(1, ...items.map((item) => item.viewsCount));
  return make(
    'table',
    {},
    make('caption', { class: 'unseen' }, `${words[kind]}: ${words.period}`),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        columnHead('', words.name),
        columnHead('', words.views[1]),
        columnHead('part', words.users),
        columnHead('part', words.agents),
      ),
    ),
    make('tbody', {}, ...items.map((item) => row(kind, item, most, words))),
  );
}

const unseen = (text) => make('span', { class: 'unseen' }, text);
const columnHead = (kind, text) => make('th', { scope: 'col', class: kind }, unseen(text));

/** The name of an item and the link to its page; without a page its number alone. */
function nameOf(kind, { id, name, href }, words) {
  if (href !== null) return make('a', { class: 'name', href, title: name }, name);
  const label = `${words.item[kind](id)} · ${words.gone}`;
  return make('span', { class: 'name gone', title: label }, label);
}

function row(kind, item, most, words) {
  const [user, agent] = [item.userViewsCount, item.agentViewsCount];
  // Whatever there is can be seen: a hundredth of the width at least.
  const share = (count) => (count === 0 ? 0 : Math.max(1, (100 * count) / most));
  const bars = make(
    'g',
    { class: 'bars' },
    rect('user', 0, share(user)),
    rect('agent', Math.min(share(user), 100 - share(agent)), share(agent)),
  );
  return make(
    'tr',
    {},
    make(
      'th',
      { scope: 'row' },
      nameOf(kind, item, words),
      make('svg', { 'aria-hidden': 'true' }, bars),
    ),
    make('td', { title: words.exact(item.viewsCount) }, words.count(item.viewsCount)),
    make('td', { class: 'part' }, unseen(words.exact(user))),
    make('td', { class: 'part' }, unseen(words.exact(agent))),
  );
}
