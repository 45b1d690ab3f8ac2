// Packages of the tests that bring no types of their own.
declare module '@adobe/structured-data-validator' {
  export default class Validator {
    validate(data: unknown): Promise<{ severity: string; issueMessage: string; path: unknown }[]>;
  }
}
declare module '@marbec/web-auto-extractor' {
  export default class WebAutoExtractor {
    constructor(options: { addLocation: boolean });
    parse(html: string): unknown;
  }
}
