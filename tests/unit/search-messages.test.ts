import { describe, expect, it } from 'vitest';
import { agentMessage } from '../../src/live/mcp/messages.ts';
import { pageMessages } from '../../src/live/search-page/messages.ts';
import type { SearchMessage } from '../../src/search/messages.ts';
import type { Told } from '../support/told.ts';
import { TOLD_OF_FIELDS } from '../support/told-of-fields.ts';
import { TOLD_OF_RESULTS } from '../support/told-of-results.ts';

const TOLD: Told = { ...TOLD_OF_FIELDS, ...TOLD_OF_RESULTS };
const CASES = Object.entries(TOLD).flatMap(([kind, cases]) =>
  cases.map(([fields, english, portuguese]) => ({
    message: { kind, ...fields } as SearchMessage,
    english,
    portuguese,
  })),
);

describe('a message of the search', () => {
  it.each(CASES)('is said to agents: $english', ({ message, english }) => {
    expect(agentMessage(message)).toBe(english);
  });

  it.each(CASES)('is said to people, or is for agents: $portuguese', ({ message, portuguese }) => {
    const shown = typeof portuguese === 'string' ? { text: portuguese } : portuguese;
    expect(pageMessages([message])).toEqual(shown === null ? [] : [shown]);
  });
});
