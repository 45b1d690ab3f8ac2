// Counters for anybody's page, as custom elements:
//
//   <script type="module" src="https://…/vitrine-widgets.js"></script>
//   <vitrine-product-stats product-id="10001"></vitrine-product-stats>
//   <vitrine-merchant-stats merchant-id="101" rows="5"></vitrine-merchant-stats>
//
// Language by `lang` (pt or en), looks by custom properties (see /widgets). Neither inline styles nor
// inline scripts: a strict Content-Security-Policy has to allow this origin for script and connect.

import { merchantStats, productStats } from './vitrine.js';
import { changeInWords, STYLE, sinceInWords, TEXTS, waitInWords } from './vitrine-look.js';
import { service } from './vitrine-service.js';

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; text is only ever text. */
function make(name, attributes = {}, ...children) {
  const element = ['svg', 'g', 'rect'].includes(name)
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function rect(kind, x, width) {
  return make('rect', { class: kind, x: `${x}%`, width: `${width}%`, height: '100%' });
}

/** What both counters share: when to load, what to show meanwhile and when it fails. */
class Counter extends HTMLElement {
  #controller = null;
  #timer = 0;
  #seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#seen.disconnect();
      this.#load();
    },
    { rootMargin: '200px' },
  );

  connectedCallback() {
    if (this.shadowRoot === null) {
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [STYLE];
      this.notice = make('div', { class: 'notice', role: 'status' });
      this.content = make('div', { class: 'content' });
      this.shadowRoot.append(make('div', { class: 'body' }, this.notice, this.content));
    }
    this.#start();
  }

  disconnectedCallback() {
    this.#seen.disconnect();
    this.#controller?.abort();
    clearTimeout(this.#timer);
  }

  attributeChangedCallback() {
    if (this.shadowRoot !== null && this.isConnected) this.#start();
  }

  /** Language, texts and number formats of the place where the element stands. */
  get words() {
    const lang = (this.closest('[lang]')?.lang || navigator.language).toLowerCase();
    const texts = lang.startsWith('pt') ? TEXTS.pt : TEXTS.en;
    const format = (options) => new Intl.NumberFormat(texts.locale, options).format;
    const percent = format({
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    });
    return { ...texts, lang: texts.locale, count: format(), percent };
  }

  #start() {
    this.disconnectedCallback();
    this.content.replaceChildren(...this.draw(null, this.words));
    this.notice.replaceChildren();
    this.#seen.observe(this);
  }

  async #load() {
    const controller = new AbortController();
    this.#controller = controller;
    const { words } = this;
    try {
      const data = await this.ask({ signal: controller.signal });
      this.content.replaceChildren(...this.draw(data, words));
      this.notice.replaceChildren();
      this.dispatchEvent(new Event('load'));
    } catch (error) {
      if (!controller.signal.aborted) this.#tell(error, words);
    }
  }

  /** A fault in kind words; a limit ends by itself, an unknown id never does. */
  #tell({ code, retryAfter }, words) {
    const again = () => this.#load();
    if (code?.startsWith('INVALID')) this.notice.replaceChildren(words.invalid);
    else if (code === 'RATE_LIMIT_EXCEEDED' && retryAfter !== null) {
      this.notice.replaceChildren(words.limited(waitInWords(retryAfter, words.locale)));
      this.#timer = setTimeout(again, retryAfter * 1000);
    } else {
      const button = make('button', { type: 'button' }, words.retry);
      button.addEventListener('click', again);
      this.notice.replaceChildren(make('span', {}, words.failed), button);
    }
    this.dispatchEvent(new Event('error'));
  }
}

function fact(label, number, ...more) {
  return make('div', {}, make('dt', {}, label), make('dd', { class: 'number' }, number), ...more);
}

/** <vitrine-product-stats product-id="…">: views, likes and dislikes of one product. */
class ProductStats extends Counter {
  static observedAttributes = ['product-id', 'lang'];

  ask(options) {
    return productStats(this.getAttribute('product-id') ?? '', options);
  }

  draw(data, words) {
    const number = (field) => (data === null ? '–' : words.count(data[field]));
    const href = service.product_url.replaceAll('{id}', this.getAttribute('product-id') ?? '');
    return [
      make(
        'dl',
        {},
        fact(words.views, number('viewsCount')),
        fact(words.likes, number('likesCount')),
        fact(words.dislikes, number('dislikesCount')),
      ),
      make('footer', {}, make('a', { href }, words.see(service.name))),
    ];
  }
}

/** <vitrine-merchant-stats merchant-id="…" rows="5">: 24-hour views of a merchant, with charts. */
class MerchantStats extends Counter {
  static observedAttributes = ['merchant-id', 'rows', 'lang'];

  ask(options) {
    return merchantStats(this.getAttribute('merchant-id') ?? '', options);
  }

  draw(data, words) {
    const id = this.getAttribute('merchant-id') ?? '';
    const rows = Math.min(
      10,
      Math.max(1, Number.parseInt(this.getAttribute('rows') ?? '5', 10) || 5),
    );
    const number = (field) => (data === null ? '–' : words.count(data[field]));
    const change = (field) => make('dd', { class: 'change' }, changeInWords(data, field, words));
    return [
      make('strong', {}, data?.merchantName || words.merchant(id)),
      make('p', { class: 'period' }, words.period),
      make(
        'dl',
        {},
        fact(words.total, number('totalViewsCount'), change('totalViews')),
        fact(words.products, number('productViewsCount'), change('productViews')),
        fact(words.offers, number('offerViewsCount'), change('offerViews')),
      ),
      ...chart('products', data, rows, words),
      ...chart('offers', data, rows, words),
      make(
        'div',
        { class: 'key', 'aria-hidden': 'true' },
        keyOf('user', words.users),
        keyOf('agent', words.agents),
      ),
      make(
        'footer',
        {},
        make('a', { href: service.url }, service.name),
        ' · ',
        sinceInWords(data, words),
      ),
    ];
  }
}

function keyOf(kind, label) {
  const swatch = make('svg', {}, rect(kind, 0, 100));
  return make('span', {}, swatch, label);
}

/** A bar chart that is a table: the bars are its picture, and what they show stands in its cells. */
function chart(kind, data, rows, words) {
  const items = data?.[kind].slice(0, rows) ?? [];
  const most = Math.max(1, ...items.map((item) => item.viewsCount));
  const table = make(
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
        columnHead('', words.views),
        columnHead('part', words.users),
        columnHead('part', words.agents),
      ),
    ),
    make('tbody', {}, ...items.map((item) => row(kind, item, most, words))),
  );
  const empty = data === null ? '' : make('p', { class: 'none' }, words.none);
  const area = make('div', { class: 'rows' }, items.length === 0 ? empty : table);
  area.style.setProperty('--rows', rows);
  return [make('p', { class: 'kind', 'aria-hidden': 'true' }, words[kind]), area];
}

const unseen = (text) => make('span', { class: 'unseen' }, text);
const columnHead = (kind, text) => make('th', { scope: 'col', class: kind }, unseen(text));

function row(kind, item, most, words) {
  const url = kind === 'products' ? service.product_url : service.offer_url;
  const href = url.replaceAll('{id}', String(item.id));
  const label = item.name || words.item[kind](item.id);
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
      make('a', { class: 'name', href, title: label }, label),
      make('svg', { 'aria-hidden': 'true' }, bars),
    ),
    make('td', {}, words.count(item.viewsCount)),
    make('td', { class: 'part' }, unseen(words.count(user))),
    make('td', { class: 'part' }, unseen(words.count(agent))),
  );
}

customElements.define('vitrine-product-stats', ProductStats);
customElements.define('vitrine-merchant-stats', MerchantStats);
