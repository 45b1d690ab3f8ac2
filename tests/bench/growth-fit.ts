import type { Sql } from '../../src/data/connection/client.ts';
import type { Row, Server } from './measure.ts';

/** How many times the data of the base. */
export const SIZES = [1, 3, 10] as const;

/** The base at scale 1: 20k products, 400 merchants, 300k views a day; 2,000 offers to publish. */
export const BASE = {
  statistics: 0.02,
  products: 20_000,
  merchants: 400,
  offers: 2000,
  views: 20_000,
};
/** A database with so many times the data. */
export type Database = { size: number; url: string; sql: Sql };
/** What each part of the benchmark works with. */
export type Context = {
  scale: number;
  folder: string;
  tell: (step: string) => void;
  open: (name: string, size: number) => Promise<Database>;
  serve: (database: Database) => Promise<Server>;
};

/** The exponent of a power law through the figures at each size, by least squares over logarithms. */
export function exponentOf(figures: number[], sizes: readonly number[] = SIZES): number {
  const x = sizes.map(Math.log);
  const y = figures.map(Math.log);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, at) => sum + (value - mx) * ((y[at] ?? 0) - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

/** A row with the figures at each size and how they grow. */
export function growthRow(what: string, figures: number[], unit: string, goal: string): Row {
  const exponent = exponentOf(figures);
  return {
    what: `${what} at ${SIZES.map((size) => `${size}x`).join(', ')}`,
    ours: `${figures.map((figure) => figure.toPrecision(3)).join(', ')} ${unit}`,
    peers: `exponent ${exponent.toFixed(2)}`,
    goal,
  };
}
