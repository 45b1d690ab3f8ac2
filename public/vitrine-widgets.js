// Counters for anybody's page, as custom elements:
//
//   <script type="module" src="https://…/vitrine-widgets.js"></script>
//   <vitrine-product-stats product-id="10001"></vitrine-product-stats>
//   <vitrine-merchant-stats merchant-id="101" rows="5"></vitrine-merchant-stats>
//
// They stay up to date while they are in view. Language by `lang` (pt or en), looks by custom properties
// (see /widgets). Neither inline styles nor inline scripts: a strict Content-Security-Policy has to allow
// this origin for script and connect.

import { freshSeconds, merchantStats, productStats } from './vitrine.js';
import { chart, keyOf, make, update } from './vitrine-charts.js';
import {
  changeInWords,
  numbersOf,
  STYLE,
  sinceInWords,
  TEXTS,
  waitInWords,
} from './vitrine-look.js';
import { service } from './vitrine-service.js';

/** A service that has not answered by then has failed, for now. */
const PATIENCE_MILLISECONDS = 20_000;
const SLOW = new Error('The service did not answer in time');
/** The counters of a page do not all ask in the same instant: each waits up to this much longer. */
const JITTER_MILLISECONDS = 2000;
/** After a failure the next try comes so much later, each time twice as much. */
const BACK_OFF_MILLISECONDS = 30_000;
const LONGEST_BACK_OFF_MILLISECONDS = 600_000;
const pageOf = (kind, id) => service[`${kind}_url`].replaceAll('{id}', String(id));

const dues = new WeakMap();

/** When an answer has had its time, by the page's clock; counters that share it ask again together. */
function dueOf(answer) {
  if (!dues.has(answer)) {
    const fresh = Math.max(1, freshSeconds(answer)) * 1000;
    dues.set(answer, performance.now() + fresh + Math.random() * JITTER_MILLISECONDS);
  }
  return dues.get(answer);
}

/**
 * What both counters share: when to load, what to show meanwhile and when it fails. The first time they
 * load when they come near the view, later when caches let go of what is shown, the page is visible and
 * they are in view themselves.
 */
class Counter extends HTMLElement {
  #controller = null;
  #timer = 0;
  /** When to load again, by the page's clock; null: not by itself. */
  #due = null;
  #failures = 0;
  #shown = false;
  #inView = false;
  #near = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#near.disconnect();
      this.#load();
    },
    { rootMargin: '200px' },
  );
  #view = new IntersectionObserver((entries) => {
    this.#inView = entries.at(-1).isIntersecting;
    this.#wait();
  });

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
    document.removeEventListener('visibilitychange', this.#wait);
    for (const observer of [this.#near, this.#view]) observer.disconnect();
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
    return { ...texts, ...numbersOf(texts.locale) };
  }

  #start() {
    this.disconnectedCallback();
    this.#due = null;
    this.#failures = 0;
    this.#shown = false;
    this.content.replaceChildren(...this.draw(null, this.words));
    this.notice.replaceChildren();
    document.addEventListener('visibilitychange', this.#wait);
    this.#near.observe(this);
    this.#view.observe(this);
  }

  /** Waits for the next load, as long as somebody can see the counter. */
  #wait = () => {
    clearTimeout(this.#timer);
    const seen = this.isConnected && this.#inView && !document.hidden;
    if (this.#due === null || !seen) return;
    this.#timer = setTimeout(() => this.#load(), Math.max(0, this.#due - performance.now()));
  };

  async #load() {
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    this.#due = null;
    const { words } = this;
    const { signal } = controller;
    const slow = setTimeout(() => controller.abort(SLOW), PATIENCE_MILLISECONDS);
    try {
      const data = await this.ask({ signal }).finally(() => clearTimeout(slow));
      this.#show(this.draw(data, words));
      this.#failures = 0;
      this.#due = dueOf(data);
      this.dispatchEvent(new Event('load'));
    } catch (error) {
      if (signal.aborted && signal.reason !== SLOW) return;
      this.#failures += 1;
      this.#due = this.#dueAfter(error);
      if (!this.#shown) this.#tell(error, words);
      this.dispatchEvent(new Event('error'));
    }
    this.#wait();
  }

  #show(children) {
    if (this.#shown) update(this.content, children);
    else this.content.replaceChildren(...children);
    this.#shown = true;
    this.notice.replaceChildren();
  }

  /** When to try again after a failure; an unknown id stays unknown. */
  #dueAfter({ code, retryAfter }) {
    if (code?.startsWith('INVALID')) return null;
    const backOff = BACK_OFF_MILLISECONDS * 2 ** (this.#failures - 1);
    const wait = (retryAfter ?? 0) * 1000 || Math.min(LONGEST_BACK_OFF_MILLISECONDS, backOff);
    return performance.now() + wait + Math.random() * JITTER_MILLISECONDS;
  }

  /** A fault in kind words while there are no numbers; later ones only leave the last numbers standing. */
  #tell({ code, retryAfter }, words) {
    if (code?.startsWith('INVALID')) this.notice.replaceChildren(words.invalid);
    else if (code === 'RATE_LIMIT_EXCEEDED' && retryAfter !== null) {
      this.notice.replaceChildren(words.limited(waitInWords(retryAfter, words.locale)));
    } else if (this.notice.querySelector('button') === null) {
      // Once: a status that is written again is read out again.
      const button = make('button', { type: 'button' }, words.retry);
      button.addEventListener('click', () => this.#load());
      this.notice.replaceChildren(make('span', {}, words.failed), button);
    }
  }
}

/** A number under its label; a dash while it is not known. */
function fact(label, count, words, ...more) {
  const known = count !== undefined;
  const attributes = known ? { class: 'number', title: words.exact(count) } : { class: 'number' };
  const number = make('dd', attributes, known ? words.count(count) : '–');
  return make('div', {}, make('dt', {}, label), number, ...more);
}

/** <vitrine-product-stats product-id="…">: views, likes and dislikes of one product. */
class ProductStats extends Counter {
  static observedAttributes = ['product-id', 'lang'];

  ask(options) {
    return productStats(this.getAttribute('product-id') ?? '', options);
  }

  draw(data, words) {
    const href = pageOf('product', this.getAttribute('product-id') ?? '');
    return [
      make(
        'dl',
        {},
        ...['views', 'likes', 'dislikes'].map((kind) => {
          const count = data?.[`${kind}Count`];
          const [one, many] = words[kind];
          return fact(count === 1 ? one : many, count, words);
        }),
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

  get rows() {
    const rows = Number.parseInt(this.getAttribute('rows') ?? '', 10) || 5;
    return Math.min(10, Math.max(1, rows));
  }

  draw(data, words) {
    const id = this.getAttribute('merchant-id') ?? '';
    const change = (field) => make('dd', { class: 'change' }, changeInWords(data, field, words));
    const since = sinceInWords(data, words);
    const rowsOf = (kind) =>
      data?.[`${kind}s`]
        .slice(0, this.rows)
        // What has no name is in the catalog no more, or is hidden: it has no page either.
        .map((item) => ({ ...item, href: item.name === '' ? null : pageOf(kind, item.id) }));
    return [
      make('strong', {}, data?.merchantName || words.merchant(id)),
      make('p', { class: 'period' }, words.period),
      make(
        'dl',
        {},
        fact(words.total, data?.totalViewsCount, words, change('totalViews')),
        fact(words.products, data?.productViewsCount, words, change('productViews')),
        fact(words.offers, data?.offerViewsCount, words, change('offerViews')),
      ),
      ...chart('products', rowsOf('product'), this.rows, words),
      ...chart('offers', rowsOf('offer'), this.rows, words),
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
        since === '' ? '' : ` · ${since}`,
      ),
    ];
  }
}

customElements.define('vitrine-product-stats', ProductStats);
customElements.define('vitrine-merchant-stats', MerchantStats);
