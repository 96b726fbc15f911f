// Argon2 at the least that it may cost, before anything else is imported: at what people's passwords are hashed with,
// tests would spend more time on them than on all else. The suite that starts programs goes without, since programs
// have to understand its hashes.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

export const LEAST_COST = { memory: 64, passes: 1 }

type Asked = { memory: number; passes: number }

// Of the worker: this file is read anew for each file of tests.
const worker = globalThis as typeof globalThis & { askedOfArgon2?: Asked[] }

/** What each hash was to cost, for tests that look at that. */
export const askedOfArgon2: Asked[] = worker.askedOfArgon2 ?? []

if (!worker.askedOfArgon2) {
  worker.askedOfArgon2 = askedOfArgon2
  const derive = crypto.argon2
  crypto.argon2 = (algorithm, parameters, callback) => {
    const { memory, passes } = parameters
    askedOfArgon2.push({ memory, passes })
    derive(algorithm, { ...parameters, ...LEAST_COST }, callback)
  }
  syncBuiltinESMExports()
}
