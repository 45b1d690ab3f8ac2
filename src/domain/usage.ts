/** The usage policy, the single source for every document that states it. */
export const USAGE = {
  allowed: ['Interactive lookups that a user asked for'],
  not_allowed: [
    'Enumerating IDs, merchants, categories, locations or search permutations',
    'Mirroring the catalog',
    'Bulk ingestion',
    'Building training datasets',
    'Reselling or republishing records',
    'Evading quotas',
  ],
  attribution:
    'Every product or offer shown to a user names the service and carries the canonical link that ' +
    'the service returned. A product name is never shown without its link.',
  higher_volume: 'Higher-volume use needs a separate agreement with the operator.',
} as const;

/** The policy for crawlers: searches and answers may use what is published, the training of models may not. */
export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no';
/** The same as a header field (draft-ietf-aipref-attach), in the vocabulary of draft-ietf-aipref-vocab. */
export const CONTENT_USAGE = 'train-ai=n, search=y';

/** Returns the usage policy in one line, for the `usage` field of catalog answers. */
export function usageLine(service: string): string {
  return `Name ${service} and show each record with its link. For interactive lookups only; no mirroring, enumeration or republishing.`;
}

/** Returns the usage policy as sentences, for the MCP server instructions. */
export function usageText(service: string): string {
  return [
    `${service} answers interactive lookups that a user asked for.`,
    `Not permitted: ${USAGE.not_allowed.map((rule) => rule.toLowerCase()).join('; ')}.`,
    USAGE.attribution,
    USAGE.higher_volume,
  ].join(' ');
}
