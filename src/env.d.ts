/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** The catalog export that prerendered pages read. */
    site: import('./publish/site.ts').Site;
    /** The dependencies of the live endpoints. */
    live: import('./live/live.ts').Live;
  }
}
