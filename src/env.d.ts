/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** The export that prerendered pages read. */
    site: import('./publish/site.ts').Site;
    /** What the live endpoints need. */
    live: import('./live/live.ts').Live;
  }
}
