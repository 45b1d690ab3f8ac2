// The components that several parts of a page use, for Eleventy.
import { formatOpeningHours, formatPhone, safeUrl } from '../vitrine/components/format.ts';
import { cleanLine } from '../vitrine/domain/escape.ts';
import { illustrationOf } from '../vitrine/domain/illustrations.ts';
import { directionsUrl, mapUrl, shareUrl, shortName } from '../vitrine/domain/links.ts';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const html = (text) => String(text).replace(/[&<>"']/g, (char) => ESCAPES[char]);
/** Escapes an attribute's value, as Astro does. */
export const attr = (text) => String(text).replace(/&/g, '&amp;').replace(/"/g, '&quot;');
export const line = (text) => html(cleanLine(text));
/** Renders a part unless what it shows is missing. */
export const some = (value, render) => (value === null ? '' : render(value));
export const each = (list, render) => list.map(render).join('');

const FIRST = 'loading="eager" fetchpriority="high"';
const LATER = 'loading="lazy" decoding="async"';

function picture(media, about, { alt = '', first = false } = {}) {
  const src = media === null ? null : safeUrl(media.url);
  const words = cleanLine(alt);
  return `<span class="pic" style="--art:url(${illustrationOf(about)})"> ${some(src, () => `<img src="${attr(src)}" alt${words ? `="${attr(words)}"` : ''} width="800" height="600" ${first ? FIRST : LATER}>`)} </span>`;
}

export function gallery(media, name, about) {
  const images = media.filter(({ type, url }) => type === 'image' && safeUrl(url) !== null);
  const altOf = ({ alt_text }) => cleanLine(alt_text ?? '') || shortName(name);
  if (images.length < 2) {
    const [image] = images;
    const alt = image && altOf(image);
    return `<div class="gallery-one"> ${picture(image ?? null, about, { alt, first: true })} </div>`;
  }
  return `<section class="gallery" aria-label="Fotos" tabindex="0"> ${each(images, (image, at) => `<figure> ${picture(image, about, { alt: altOf(image), first: at === 0 })} <figcaption> ${at + 1}/${images.length} </figcaption> </figure>`)} </section>`;
}

export function videos(media) {
  const shown = media.filter(({ type, url }) => type === 'video' && safeUrl(url) !== null);
  return each(shown, ({ url, alt_text }) => {
    const words = ['Assistir ao vídeo', cleanLine(alt_text ?? '')].filter(Boolean).join(': ');
    return `<p class="links"> <a href="${attr(url)}" rel="noopener nofollow"> ${html(words)} </a> </p>`;
  });
}

export const crumbs = (trail) =>
  `<nav class="crumbs" aria-label="Você está em"> <ol> ${each(trail, ({ name, url }) => `<li><a href="${attr(url)}">${html(shortName(name, 40))}</a></li>`)} </ol> </nav>`;

export const cards = (title, list) =>
  list.length === 0
    ? ''
    : `<section> <h2>${title}</h2> <ul class="cards"> ${each(list, (card) => `<li> ${picture(card.picture, card.about)} <div> <h3> <a href="${attr(card.url)}">${html(shortName(card.title))}</a> </h3> ${some(card.price, (price) => `<p class="amount">${html(price)}</p>`)} ${some(card.where, (where) => `<p class="soft">${html(shortName(where))}</p>`)} </div> </li>`)} </ul> </section>`;

function place({ address, district, city, state, phone, whatsapp, openingHours }) {
  const contacts = [
    ...(phone === null ? [] : [`<a href="tel:${phone}">${html(formatPhone(phone))}</a>`]),
    ...(whatsapp === null
      ? []
      : [`<a href="https://wa.me/${whatsapp.slice(1)}" rel="noopener"> WhatsApp </a>`]),
  ];
  return `<address> ${line(address)} <br> ${line(district)}, ${line(city)} ${some(state, (code) => ` – ${line(code)}`)} </address> ${some(openingHours, (hours) => `<p class="soft">${html(formatOpeningHours(cleanLine(hours)))}</p>`)} ${contacts.length === 0 ? '' : `<p class="links"> ${contacts.join(' · ')} </p>`}`;
}

export function box(name, url, { stores, moreStores }, merchantUrl, facts) {
  const [store = null] = stores;
  const others = stores.length + moreStores - 1;
  const rest = others === 1 ? 'e em mais uma loja' : `e em mais ${others} lojas`;
  return `<aside class="box" aria-label="Preço e onde encontrar"> ${facts} ${some(store, () => `<div class="where"> <p class="where-name">${line(store.name)}</p> ${place(store)} ${others > 0 ? `<p class="links"> <a href="#onde">${rest}</a> </p>` : ''} </div>`)} <ul class="actions"> ${some(store, () => `<li> <a href="${attr(directionsUrl(store))}" rel="noopener"> Como chegar </a> </li>`)} ${some(merchantUrl, () => `<li><a href="${attr(merchantUrl)}">Ver loja</a></li>`)} <li><a href="${attr(shareUrl(cleanLine(name), url))}" rel="noopener">Compartilhar</a></li> </ul> </aside>`;
}

const FEW = 3;
export function storeList({ stores, moreStores }, merchant, allAt) {
  const shown = stores.slice(0, FEW);
  const others = stores.length - shown.length + moreStores;
  const rest = others === 1 ? 'E mais uma loja' : `E mais ${others} lojas`;
  const rows = each(
    shown,
    (store) =>
      `<li id="loja-${store.id}"> <h3>${line(store.name)}</h3> ${place(store)} ${some(mapUrl(store), (map) => `<p class="links"> <a href="${attr(map)}" rel="noopener"> Ver no mapa<span class="unseen"> (${line(store.name)})</span> </a> </p>`)} </li>`,
  );
  return `<section id="onde"> <h2>Onde encontrar</h2> ${stores.length === 0 ? `<p>${merchant} ainda não informou endereço de loja.</p>` : `<ul class="stores"> ${rows} </ul>`} ${others > 0 ? `<p class="links"><a href="${attr(`${allAt}#onde`)}">${rest}</a></p>` : ''} </section>`;
}
