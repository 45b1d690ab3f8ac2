/** Memoises a function by key. With `most`, clears the whole cache when that many keys are held. */
export function remembered<K, V>(make: (key: K) => V, most = Number.POSITIVE_INFINITY) {
  const made = new Map<K, V>();
  return (key: K): V => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (made.size >= most) made.clear();
    made.set(key, value);
    return value;
  };
}
