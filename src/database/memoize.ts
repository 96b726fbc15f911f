/** What is prepared once for each database: its statements and queues. */
export function memoizeByDb<Db extends object, Made>(make: (db: Db) => Made): (db: Db) => Made {
  const made = new WeakMap<Db, Made>()
  return (db) => {
    let one = made.get(db)
    if (one === undefined) {
      one = make(db)
      made.set(db, one)
    }
    return one
  }
}
