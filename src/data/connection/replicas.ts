import { inTime } from '../../domain/in-time.ts';
import { describeAddress, readAddress } from './address.ts';
import { readShownPosition, readWrittenPosition } from './replication.ts';
import { openServingDatabase, type ServingDatabase } from './serving.ts';

/** A read-only copy of the database, followed by a stream. */
export type Replica = {
  /** Host and port, for the operator. */
  name: string;
  database: ServingDatabase;
  /** True while it answers. */
  answers(): boolean;
  /** It shows all that was written so long ago, in ms; infinite when that is not known. */
  lagMs(): number;
};

/** All replicas of a primary, and whether that one answers. */
export type Replicas = {
  all: Replica[];
  /** True while the primary answers; without replicas nobody asks. */
  primaryAnswers(): boolean;
  close(): Promise<void>;
};

/** How often the positions are compared, in ms, and how long one of them may take to read. */
const LOOK_EVERY_MS = 300;
const LOOK_DEADLINE_MS = 1000;
/** Positions that a replica has not reached yet; older ones are dropped, and its lag is then unknown. */
const MOST_POSITIONS = 200;

/**
 * Opens the replicas of a primary and watches how far each is behind: the primary says how far it has
 * written, and once a replica shows that much, it shows everything from before the question. Unlike the
 * age of the last replayed transaction this holds on an idle mall, and when a replica has lost its stream.
 */
export function openReplicas(
  primary: ServingDatabase,
  urls: readonly string[],
  connections: number,
): Replicas {
  const watched = urls.map((url) => watchReplica(url, connections));
  let primaryAnswers = true;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const at = performance.now();
    const written = await readPosition(primary, readWrittenPosition);
    primaryAnswers = written !== null;
    await Promise.all(watched.map((replica) => replica.look(at, written)));
    if (!closed) timer = setTimeout(look, LOOK_EVERY_MS).unref();
  }
  if (urls.length > 0) void look();

  return {
    all: watched,
    primaryAnswers: () => primaryAnswers,
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(watched.map(({ database }) => database.close()));
    },
  };
}

function watchReplica(url: string, connections: number) {
  const database = openServingDatabase(url, { max: connections });
  let positions: { at: number; written: number }[] = [];
  let answers = false;
  let shownUpTo = Number.NEGATIVE_INFINITY;
  return {
    name: describeAddress(readAddress(url)),
    database,
    answers: () => answers,
    lagMs: () => performance.now() - shownUpTo,
    async look(at: number, written: number | null): Promise<void> {
      if (written !== null) positions.push({ at, written });
      const shown = await readPosition(database, readShownPosition);
      answers = shown !== null;
      if (shown === null) return;
      for (const position of positions) if (position.written <= shown) shownUpTo = position.at;
      positions = positions.filter((position) => position.written > shown).slice(-MOST_POSITIONS);
    },
  };
}

/** Reads a position; null when the server is away. Asked beside the gate: a busy server is not away. */
async function readPosition(
  database: ServingDatabase,
  read: Parameters<typeof database.watch<number>>[0],
): Promise<number | null> {
  const late = () => new Error('no position in time');
  return inTime(database.watch(read), LOOK_DEADLINE_MS, late).catch(() => null);
}
