/** Returns a memoized `make`: the result for an object is computed once and cached as long as the object exists. */
export function memoizeByObject<O extends object, V>(make: (object: O) => V): (object: O) => V {
  const kept = new WeakMap<O, { readonly value: V }>();
  return (object) => {
    let entry = kept.get(object);
    if (entry === undefined) {
      entry = { value: make(object) };
      kept.set(object, entry);
    }
    return entry.value;
  };
}
