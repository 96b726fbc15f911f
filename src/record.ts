// Records by their keys. TypeScript takes the keys of an object for any text, since a value may have more
// of them than its type says; those that are read here are written out and have no others.

export function getKeys<Shape extends object>(record: Shape) {
  // Object.keys is typed for objects that may have more keys.
  return Object.keys(record) as (keyof Shape & string)[]
}

export function getEntries<Shape extends object>(record: Shape) {
  type Entries = { [Key in keyof Shape & string]-?: [Key, Required<Shape>[Key]] }
  // Object.entries is typed so, too.
  return Object.entries(record) as Entries[keyof Entries][]
}

/** Without the fields that are there and undefined. */
export function omitUndefined<Shape extends object>(record: Shape) {
  const given = Object.entries(record).filter(([, value]) => value !== undefined)
  // A field that is not there reads as one that is undefined.
  return Object.fromEntries(given) as Shape
}

/** A value for each of these keys. */
export function buildRecord<Key extends string, Value>(
  keys: readonly Key[],
  toValue: (key: Key) => Value,
) {
  // Object.fromEntries is typed by any text, too: here all of the keys are there.
  return Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<Key, Value>
}

/** What is made at its first use and kept. A failure is not. */
export function memoizeValue<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
