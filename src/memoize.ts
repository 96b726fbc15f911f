/** What is made at its first use and kept. A failure is not. */
export function memoizeValue<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
