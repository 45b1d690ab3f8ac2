import { describe, expect, it, vi } from 'vitest';
import { rememberKnown, rememberPlaces } from '../../src/live/known-names.ts';

describe('names that the catalog knows', () => {
  it('are asked for once in a few seconds; unknown ones each time', async () => {
    let ms = 0;
    const asked: string[] = [];
    const find = rememberKnown(
      async (name: string) => {
        asked.push(name);
        return name === 'Atlântida' ? { unknown: true as const, suggestions: [] } : { name };
      },
      () => ms,
    );
    for (const name of ['Osasco', 'Atlântida', 'Osasco', 'Atlântida']) await find(name);
    expect(asked).toEqual(['Osasco', 'Atlântida', 'Atlântida']);
    ms = 5000;
    expect(await find('Osasco')).toEqual({ name: 'Osasco' });
    expect(asked).toHaveLength(4);
  });

  it('are forgotten, the oldest first, when there are too many', async () => {
    const asked: string[] = [];
    const find = rememberKnown(
      async (name: string): Promise<{ name: string }> => {
        asked.push(name);
        return { name };
      },
      () => 0,
    );
    for (let index = 0; index <= 1000; index += 1) await find(`city ${index}`);
    await find('city 1000');
    expect(asked).toHaveLength(1001);
    await find('city 0');
    expect(asked).toHaveLength(1002);
  });
});

describe('the places of the catalog', () => {
  const place = (name: string) => ({ kind: 'city' as const, name, city: name, state: null });

  it('are read once, and after a minute anew beside the searches, which do not wait or fail', async () => {
    let ms = 0;
    const answers = [[place('Osasco')], new Error('away'), [place('Santos')]];
    const list = vi.fn(async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const places = rememberPlaces(list, () => ms);
    const names = async () => [...(await places()).places.keys()];
    expect(await Promise.all([names(), names()])).toEqual([['osasco'], ['osasco']]);
    expect(list).toHaveBeenCalledTimes(1);
    for (const [at, known] of [
      [60_000, 'osasco'],
      [60_000, 'osasco'],
      [65_000, 'osasco'],
      [65_000, 'santos'],
    ] as const) {
      ms = at;
      expect(await names()).toEqual([known]);
      await new Promise((done) => setImmediate(done));
    }
    expect(list).toHaveBeenCalledTimes(3);
  });

  it('are none while they cannot be read, and asked for again in a few seconds', async () => {
    let ms = 0;
    const list = vi.fn(async () => [place('Osasco')]);
    list.mockRejectedValueOnce(new Error('away'));
    const places = rememberPlaces(list, () => ms);
    for (const [at, size] of [
      [0, 0],
      [4999, 0],
      [5000, 1],
    ] as const) {
      ms = at;
      expect((await places()).places.size).toBe(size);
    }
    expect(list).toHaveBeenCalledTimes(2);
  });
});
