/** A position in degrees (WGS 84). */
export type Position = { latitude: number; longitude: number };

const METERS_PER_DEGREE = 111_195;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** The distance between two positions of one region, in metres: within a city nobody notices the curvature. */
export function distanceMeters(a: Position, b: Position): number {
  const north = a.latitude - b.latitude;
  const middle = ((a.latitude + b.latitude) / 2) * RADIANS_PER_DEGREE;
  const east = (a.longitude - b.longitude) * Math.cos(middle);
  return METERS_PER_DEGREE * Math.hypot(north, east);
}

/** A store by where it is. */
export type NearStore = { city: string; district: string; distanceMeters: number };
