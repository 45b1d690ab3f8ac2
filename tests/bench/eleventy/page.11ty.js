// The page of a product or an offer for Eleventy: the markup of src/components as a template literal, its
// quickest kind of template; words, dates, prices and structured data by the same functions as ours.
import { describeValidity, safeUrl } from '../vitrine/components/format.ts';
import { offerHead, productHead } from '../vitrine/components/page-head.ts';
import { cleanLine, cleanText, escapeJsonForScript } from '../vitrine/domain/escape.ts';
import { illustrationOf } from '../vitrine/domain/illustrations.ts';
import { mapUrl, shortName } from '../vitrine/domain/links.ts';
import { discountPercent, formatPrice } from '../vitrine/domain/price.ts';
import { site } from './site.js';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const html = (text) => String(text).replace(/[&<>"']/g, (char) => ESCAPES[char]);
const line = (text) => html(cleanLine(text));
const { info, links } = site;

const cards = (title, list, urlOf) =>
  list.length === 0
    ? ''
    : `<section> <h2>${html(title)}</h2> <ul class="cards"> ${list
        .map(
          ({ id, title: name, price, picture }) =>
            `<li> <span class="pic" style="--art:url(${illustrationOf([name])})">${picture === null ? '' : `<img src="${html(picture.url)}" alt="" width="800" height="600" loading="lazy" decoding="async">`}</span> <h3> <a href="${urlOf(id)}">${line(name)}</a> </h3> ${price === null ? '' : `<p class="amount">${formatPrice(price)}</p>`} </li>`,
        )
        .join('')} </ul> </section>`;

const stores = ({ stores: list, moreStores }, merchant) =>
  `<section> <h2>Onde encontrar</h2> ${list.length === 0 ? `<p>${merchant} não informou endereço de loja.</p>` : ''} <ul class="stores"> ${list
    .map((store) => {
      const { name, address, district, city, state } = store;
      const map = mapUrl(store);
      return `<li> <h3>${line(name)}</h3> <address> ${line(address)} <br> ${line(district)}, ${line(city)} ${state === null ? '' : ` – ${line(state)}`} </address> ${map === null ? '' : `<p class="links"> <a href="${html(map)}" rel="noopener"> Ver no mapa<span class="unseen"> (${line(name)})</span> </a> </p>`} </li>`;
    })
    .join('')} </ul> ${moreStores > 0 ? `<p>E mais ${moreStores} lojas.</p>` : ''} </section>`;

const priced = (price, before) => {
  const percent = discountPercent(price, before);
  const tag = `<span class="before">antes <s>${formatPrice(before)}</s></span> <span class="tag">${percent}% a menos</span>`;
  return `<p class="price"> ${formatPrice(price)} ${percent === null ? '' : tag} </p>`;
};

const validity = (from, until) => {
  const words = describeValidity(from, until);
  const start = from === null ? '' : `de <time datetime="${from}">${words.from}</time> a `;
  const end = until === null ? '' : `<time datetime="${until}">${words.until}</time>`;
  return `<p> <strong>Validade:</strong> ${start}${end} </p>`;
};

const gallery = (media, name) =>
  media.length === 0
    ? ''
    : `<div class="media"> ${media
        .map(
          ({ url, alt_text: alt }) =>
            `<img src="${html(safeUrl(url) ?? '')}" alt="${line(alt ?? name)}" width="800" height="600" loading="lazy" decoding="async">`,
        )
        .join('')} </div>`;

const copy = (text) => (text ? `<p class="copy">${html(cleanText(text))}</p>` : '');

function offerArticle(page) {
  const { offer, product, related } = page;
  const merchant = line(offer.merchant?.name ?? '');
  const media = offer.media.length > 0 ? offer.media : (product?.media ?? []);
  const about = offer.product;
  const link =
    about &&
    `<p class="links"> Produto: <a href="${links.product(about.id)}">${line(about.name)}</a> </p>`;
  return `<h1>${line(offer.title)}</h1> <p class="kicker"> ${merchant} · ${line(offer.aiCategory ?? '')} </p> <div class="lead"> ${gallery(media, offer.title)} <div> ${priced(offer.price, product?.price ?? null)} ${validity(offer.validFrom, offer.validUntil)} ${copy(offer.enrichedCopy)}${copy(offer.description)} ${link ?? ''} </div> </div> ${stores(page, merchant)} ${cards(`Mais ofertas de ${merchant}`, related, links.offer)}`;
}

function productArticle(page) {
  const { product, offers, related } = page;
  const merchant = line(product.merchant.name);
  const facts = [merchant, line(product.brand ?? ''), line(product.category?.name ?? '')];
  return `<h1>${line(product.name)}</h1> <p class="kicker">${facts.join(' · ')}</p> <div class="lead"> ${gallery(product.media, product.name)} <div> ${priced(product.price, product.listPrice)} <p>${product.inStock ? 'Disponível' : 'Esgotado no momento'}</p> ${copy(product.description)} </div> </div> ${cards('Ofertas deste produto', offers, links.offer)} ${stores(page, merchant)} ${cards(`Mais de ${merchant}`, related, links.product)}`;
}

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'page_model', addAllPagesToCollections: false },
  permalink: (all) => `/${all.page_model.path}.html`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_model: page, style }) {
  const head = page.offer ? offerHead(page, site) : productHead(page, site);
  const title = line(head.title);
  const description = html(shortName(head.description, 300));
  const url = links.to(head.path);
  const graph = { '@context': 'https://schema.org', '@graph': head.graph };
  const block = `<script type="application/ld+json">${escapeJsonForScript(graph)}</script>`;
  const article = page.offer ? offerArticle(page) : productArticle(page);
  return `<!DOCTYPE html><html lang="pt-BR"> <head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${description}"><meta name="color-scheme" content="light dark"><link rel="icon" href="${links.to('/favicon.svg')}" type="image/svg+xml"><link rel="canonical" href="${url}"><link rel="alternate" type="text/markdown" href="${head.twin}"><meta property="og:type" content="website"><meta property="og:site_name" content="${info.name}"><meta property="og:locale" content="pt_BR"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${url}">${head.image ? `<meta property="og:image" content="${html(head.image.url)}">` : ''} ${block}<style>${style.css}</style></head> <body> <a class="skip" href="#conteudo">Pular para o conteúdo</a> <header> <a class="brand" href="${links.to('/')}"> <svg width="36" height="36" viewBox="0 0 32 32" aria-hidden="true"> <path d="M4 13h24v15H4z" fill="none" stroke="currentColor" stroke-width="2"></path> <path d="M3 4h26l2 7a4 4 0 0 1-7 2 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-7-2z" fill="var(--awning)"></path> <path d="M9 18h8v10H9zM20 18h5v5h-5z" fill="currentColor"></path> </svg> ${info.name} </a> </header> <main id="conteudo"> <article> ${article} </article> </main> <footer> <p> Consulta pública e gratuita para pessoas e seus assistentes. Ao citar um produto ou uma oferta, diga que a informação vem de ${info.name} e inclua o link. Não é permitido copiar o catálogo. </p> <p class="links"> <a href="${links.to('/llms.txt')}">Guia para agentes</a> · <a href="${links.to('/docs')}">API</a> · <a href="${links.to('/gpt.json')}">Números do catálogo</a> </p> </footer> </body></html>`;
}
