import type { CatalogChange, ChangeBatch, ChangeFault, Naming } from '../data/catalog/queue.ts';
import type { FeedRecord, RecordKey } from '../domain/catalog.ts';
import { nameOf, type Reference, referencesOf } from '../domain/references.ts';
import { type Flaw, keyOf, readRecord } from './read.ts';

/** The part of the catalog that some changes depend on. */
export type CatalogAround = {
  /** The records to be changed, by name; null if absent. Resolving updates this map. */
  records: Map<string, FeedRecord | null>;
  /** The names of other referenced records that exist. */
  known: ReadonlySet<string>;
  /** For records to be deleted: a reference from a record outside these changes, if any. */
  named: ReadonlyMap<string, Naming>;
  /** The parents of all categories; empty when no change concerns a category. */
  parents: ReadonlyMap<number, number>;
};

/** A change of a batch at its 1-based position, and its flaw if any. */
type Step = { position: number; change: CatalogChange; flaw: Flaw | null };

/** Returns the key of the record that a change concerns. */
export const subjectOf = (change: CatalogChange): RecordKey =>
  change.op === 'upsert' ? change.record : change;

/**
 * Applies a batch to `around.records`, in order. References are checked against the state after the whole batch, so
 * changes may come in any order. Returns the faults of changes that cannot be applied.
 */
export function resolveBatch(
  { seq, key, changes }: ChangeBatch,
  around: CatalogAround,
  first = 1,
): ChangeFault[] {
  const steps = changes.map((change, at): Step => ({ position: first + at, change, flaw: null }));
  const batch = new Batch(steps, around);
  while (batch.faultReferences() || batch.faultCycles());
  for (const [name, record] of batch.after) around.records.set(name, record);
  return steps.flatMap(({ position, change, flaw }) => {
    const { kind, id } = subjectOf(change);
    return flaw === null ? [] : [{ seq, key, position, kind, id, ...flaw }];
  });
}

/** The records of a batch before and after it. */
class Batch {
  readonly after = new Map<string, FeedRecord | null>();
  readonly #steps: Map<string, Step[]>;
  readonly #around: CatalogAround;

  constructor(steps: readonly Step[], around: CatalogAround) {
    this.#steps = Map.groupBy(steps, ({ change }) => nameOf(subjectOf(change)));
    this.#around = around;
    for (const name of this.#steps.keys()) this.#replay(name);
  }

  /** Recomputes a record from its flawless changes; returns its version after each of them. */
  #replay(name: string): { step: Step; record: FeedRecord | null }[] {
    let record = this.#before(name);
    const versions: { step: Step; record: FeedRecord | null }[] = [];
    for (const step of this.#steps.get(name) ?? []) {
      if (step.flaw !== null) continue;
      const changed = applyChange(step.change, record);
      if (changed !== null && 'reason' in changed) {
        step.flaw = changed;
        continue;
      }
      record = changed;
      versions.push({ step, record });
    }
    this.after.set(name, record);
    return versions;
  }

  #before(name: string): FeedRecord | null {
    return this.#around.records.get(name) ?? null;
  }

  #has(name: string): boolean {
    const record = this.after.get(name) ?? (this.after.has(name) ? null : this.#before(name));
    return record !== null || this.#around.known.has(name);
  }

  /** Marks changes that leave a dangling reference as faulty; returns whether it found any. */
  faultReferences(): boolean {
    let found = false;
    for (const [name, record] of this.#all()) {
      for (const reference of record === null ? [] : referencesOf(record)) {
        if (this.#has(nameOf(reference))) continue;
        found = this.#faultReference(name, reference) || found;
        break;
      }
    }
    for (const [name, { by, field }] of this.#around.named) {
      if (this.after.get(name) === null) found = this.#faultDelete(name, by, field) || found;
    }
    return found;
  }

  /** All records of the batch; if it deletes any, also those resolved before it in the same transaction. */
  *#all(): Generator<[string, FeedRecord | null]> {
    yield* this.after;
    if (![...this.after.values()].includes(null)) return;
    for (const one of this.#around.records) if (!this.after.has(one[0])) yield one;
  }

  #faultReference(name: string, reference: Reference): boolean {
    const { field, kind, id } = reference;
    const step = this.#introducing(name, reference);
    if (step === null) return this.#faultDelete(nameOf(reference), parseName(name), field);
    step.flaw = { field, reason: `names ${kind} ${id}, which is not in the catalog` };
    this.#replay(name);
    return true;
  }

  /** Finds the change that introduced a reference; null if the record held it before the batch. */
  #introducing(name: string, { field, id }: Reference): Step | null {
    const holds = (record: FeedRecord | null) =>
      record !== null && (record as Record<string, unknown>)[field] === id;
    let held = holds(this.#before(name));
    let by: Step | null = null;
    for (const { step, record } of this.#replay(name)) {
      if (holds(record) && !held) by = step;
      held = holds(record);
    }
    return by;
  }

  #faultDelete(name: string, by: RecordKey, field: string): boolean {
    const step = this.#replay(name).findLast(({ record }) => record === null)?.step;
    if (step === undefined) return false;
    step.flaw = { field: 'id', reason: `is named by ${nameOf(by)} (${field})` };
    this.#replay(name);
    return true;
  }

  /** Marks changes that make a category its own ancestor as faulty; returns whether it found any. */
  faultCycles(): boolean {
    let found = false;
    for (const [name, record] of this.after) {
      if (record?.kind !== 'category' || !this.#isOwnAncestor(record.id)) continue;
      const [reference] = referencesOf(record);
      const step = reference && this.#introducing(name, reference);
      if (!step) continue;
      step.flaw = { field: 'parent_id', reason: `makes category ${record.id} its own ancestor` };
      this.#replay(name);
      found = true;
    }
    return found;
  }

  #isOwnAncestor(id: number): boolean {
    const seen = new Set<number>();
    let at = this.#parentOf(id);
    while (at !== null && at !== id && !seen.has(at)) {
      seen.add(at);
      at = this.#parentOf(at);
    }
    return at === id;
  }

  #parentOf(id: number): number | null {
    const name = nameOf({ kind: 'category', id });
    const { records, parents } = this.#around;
    const record = this.after.has(name) ? this.after.get(name) : records.get(name);
    if (record === undefined) return parents.get(id) ?? null;
    return record?.kind === 'category' ? (record.parent_id ?? null) : null;
  }
}

function parseName(name: string): RecordKey {
  const [kind, id] = name.split(' ');
  return { kind: kind as RecordKey['kind'], id: Number(id) };
}

/** Applies a change to a record: returns the new record, null after a delete, or the change's flaw. */
function applyChange(change: CatalogChange, before: FeedRecord | null): FeedRecord | null | Flaw {
  if (change.op === 'delete') return null;
  if (change.op === 'patch') {
    if (before === null) return { field: 'id', reason: 'is not in the catalog' };
    const fixed = ['kind', 'id'].find((field) => field in change.set);
    if (fixed !== undefined) return { field: fixed, reason: 'cannot be changed' };
  }
  const read = readRecord(change.op === 'upsert' ? change.record : patched(change, before));
  return 'record' in read ? read.record : read;
}

/** Merges a patch; `updated_at` becomes the current time unless the patch sets it. */
function patched({ set }: { set: object }, before: object | null): object {
  const { updated_at: _, ...rest } = { updated_at: null, ...before };
  return { ...rest, ...set };
}

/** Returns the references that a change sets. */
export function namedBy(change: CatalogChange): Reference[] {
  if (change.op === 'delete') return [];
  const { kind, id } = subjectOf(change);
  const fields = change.op === 'upsert' ? change.record : change.set;
  return referencesOf({ ...fields, ...keyOf({ kind, id } as FeedRecord) } as FeedRecord).filter(
    (reference) => Number.isSafeInteger(reference.id),
  );
}
