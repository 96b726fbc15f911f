// One database per test file, cloned from the template of the run.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { connectDatabase } from '../../../src/database/connect.ts'

/** One connection for all files of a worker: to make it costs as much as to drop a database. */
let server: pg.Pool | undefined

/** A migrated, empty database of this file's own, dropped when the file is through. */
export async function openDatabase() {
  const admin = openServer()
  const name = `vintem_test_${randomBytes(6).toString('hex')}`
  // Copied as files: half the work of writing each page to the log.
  await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`)
  const url = Object.assign(new URL(inject('server')), { pathname: `/${name}` }).href
  const socket = inject('socketFolder')
  const db = connectDatabase(socket ? `${url}?host=${socket}` : url)

  afterAll(async () => {
    await db.$client.end()
    await admin.query(`drop database ${name} with (force)`)
  })

  return { db, url }
}

function openServer() {
  server ??= new pg.Pool({ connectionString: inject('server'), max: 1, allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  return server
}
