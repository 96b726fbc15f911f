// One database per test file, cloned from the template of the run.
import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { runStatement } from './statement.ts'

/** A migrated, empty database of this file's own, dropped when the file is through. */
export async function openDatabase() {
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  // Copied as files: half the work of writing each page to the log.
  const strategy = `template ${inject('template')} strategy file_copy`
  await runStatement(inject('server'), `create database ${name} ${strategy}`)
  const url = Object.assign(new URL(inject('server')), { pathname: `/${name}` }).href
  const db = connectDatabase(url)

  afterAll(async () => {
    await db.$client.end()
    await runStatement(inject('server'), `drop database ${name} with (force)`)
  })

  return { db, url }
}
