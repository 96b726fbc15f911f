// Functions for records. TypeScript types keys of an object as any string, since a value may have more keys than its
// type; the objects used here have no others.

export function getKeys<Shape extends object>(record: Shape) {
  // Object.keys is typed for objects that may have more keys.
  return Object.keys(record) as (keyof Shape & string)[]
}

export function getEntries<Shape extends object>(record: Shape) {
  type Entries = { [Key in keyof Shape & string]-?: [Key, Required<Shape>[Key]] }
  // Object.entries is typed so too.
  return Object.entries(record) as Entries[keyof Entries][]
}

/** Removes fields with the value undefined. */
export function omitUndefined<Shape extends object>(record: Shape) {
  const given = Object.entries(record).filter(([, value]) => value !== undefined)
  // A missing field reads as undefined.
  return Object.fromEntries(given) as Shape
}

/** Builds an object with a value for each of these keys. */
export function buildRecord<Key extends string, Value>(
  keys: readonly Key[],
  toValue: (key: Key) => Value,
) {
  // Object.fromEntries is typed for any keys; here all keys are present.
  return Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<Key, Value>
}

/** Returns a function that makes the value at its first call and keeps it. A failure is not kept. */
export function memoizeValue<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
