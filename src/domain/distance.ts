/** A position in degrees (WGS 84). */
export type Position = { latitude: number; longitude: number };

const METERS_PER_DEGREE = 111_195;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Returns the distance in metres by the equirectangular approximation, exact enough within one region. */
export function distanceMeters(a: Position, b: Position): number {
  const north = a.latitude - b.latitude;
  const middle = ((a.latitude + b.latitude) / 2) * RADIANS_PER_DEGREE;
  const east = (a.longitude - b.longitude) * Math.cos(middle);
  return METERS_PER_DEGREE * Math.hypot(north, east);
}

/** A store's city, district and distance, as a search result shows it. */
export type NearStore = { city: string; district: string; distanceMeters: number };
