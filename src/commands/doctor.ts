// `doctor`: checks this installation and changes nothing. It leaves out what a Postgres monitor or /metrics report.

import { type Config, readConfig } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { type Cipher, createCipher } from '../database/encryption/cipher.ts'
import { resolveServiceFacts } from '../database/open.ts'
import { findIgnoredForwarding, isTrustedProxy } from '../http/forwarding.ts'
import { limitRedis } from '../http/rate-limit-store.ts'
import { openSmtp } from '../mail/smtp.ts'
import { listCertificates } from '../providers/certificates.ts'
import { formatBuild } from '../version.ts'
import { createCommand, printing } from './command.ts'
import { withDatabase } from './context.ts'
import {
  type DoctorCheck,
  type Finding,
  reportFailure,
  reportOk,
  reportWarning,
} from './doctor/finding.ts'
import { checkBook, ROW_CHECKS } from './doctor/integrity.ts'
import {
  checkClock,
  checkPooler,
  checkPostgresVersion,
  checkRole,
  checkSchema,
  checkWriting,
} from './doctor/postgres.ts'
import { checkSecrets, classifyCertificates } from './doctor/secrets.ts'
import { findDatabaseAdvice, getErrorReason, getOutageAdvice } from './failure.ts'

const REDIS_CHECK_TIMEOUT_MS = 2_000

export const command = createCommand('doctor')
  .description(
    'Checks the installation and its data; the exit status is 1 when something is broken (fail), and 0 with warnings (warn).',
  )
  .action(
    printing(async () => {
      const checks = await runChecks()
      const failed = checks.some(({ status }) => status === 'fail')
      const lines = checks.map(
        ({ status, what, advice }) =>
          `${status.padEnd(4)}  ${[what, advice].filter(Boolean).join(' — ')}`,
      )
      return { json: { ok: !failed, checks }, text: lines.join('\n'), failed }
    }),
  )

async function runChecks(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    return [
      reportFailure(getErrorReason(error), 'correct this variable; the README lists them all'),
    ]
  }
  const version = reportOk(`version: ${formatBuild()}`)
  const found = await runDatabaseChecks(config)
  return [version, ...found, await checkRedis(config), await checkMail(config)]
}

async function runDatabaseChecks(config: Config): Promise<Finding[]> {
  try {
    return await withDatabase(config, async (home, db) => {
      const found = [await checkPostgresVersion(db), await checkRole(db)]
      found.push(await checkWriting(db), await checkClock(db), await checkPooler(db))
      const { findings, usable } = await checkSchema(db)
      found.push(...findings)
      if (!usable) return found
      const cipher = createCipher(home.secretKey, config.previousSecretKey)
      for (const check of listDataChecks(cipher, config)) found.push(await runCheck(check, db))
      return found
    })
  } catch (error) {
    const outageAdvice = config.databaseUrl
      ? getOutageAdvice(error)
      : 'the embedded Postgres keeps its log in .data/postgres.log'
    const advice = findDatabaseAdvice(error) ?? outageAdvice
    return [reportFailure(`database: ${getErrorReason(error)}`, advice)]
  }
}

function listDataChecks(cipher: Cipher, config: Config): DoctorCheck[] {
  const now = new Date()
  return [
    { about: 'secret key', run: (db) => checkSecrets(db, cipher, config) },
    ...ROW_CHECKS,
    { about: 'book of money', run: checkBook },
    {
      about: 'certificates',
      run: async (db) => classifyCertificates(await listCertificates(db, cipher), now),
    },
    { about: 'address', run: (db) => checkAddress(db, config) },
    { about: 'proxy', run: (db) => checkForwarding(db, config) },
  ]
}

/** A check that cannot run must not hide the others. */
async function runCheck({ about, run }: DoctorCheck, db: Database) {
  try {
    return await run(db)
  } catch (error) {
    const advice = findDatabaseAdvice(error) ?? 'this could not be checked; try again'
    return reportFailure(`${about}: ${getErrorReason(error)}`, advice)
  }
}

/** Reports a proxy that the running service ignored, unless it is trusted now. */
async function checkForwarding(db: Database, { trustProxy }: Config) {
  const ignored = await findIgnoredForwarding(db)
  if (!ignored || isTrustedProxy(trustProxy, ignored.peer))
    return reportOk('proxy: no forwarding header was ignored')
  return reportWarning(
    `proxy: a forwarding header from ${ignored.peer} was ignored on ${ignored.at.slice(0, 10)}`,
    'if this is your proxy, name it in TRUST_PROXY: until then all its clients count as one',
  )
}

async function checkAddress(db: Database, config: Config) {
  const { baseUrl } = await resolveServiceFacts(db, config)
  if (baseUrl.startsWith('https:')) return reportOk(`address: ${baseUrl}`)
  return reportWarning(
    `address: ${baseUrl} is not https`,
    'set BASE_URL to the public https address before money is taken: links lead to it, and providers notify no other',
  )
}

async function checkRedis({ redisUrl }: Config) {
  if (!redisUrl)
    return reportOk('redis: not configured, so each process counts rate limits on its own')
  const { createClient } = await import('@redis/client')
  const socket = { connectTimeout: REDIS_CHECK_TIMEOUT_MS, reconnectStrategy: false as const }
  const client = createClient({ url: redisUrl, socket })
  client.on('error', () => {})
  try {
    await limitRedis(client.connect(), REDIS_CHECK_TIMEOUT_MS)
    // A read-only replica answers a PING too, but cannot count.
    await limitRedis(client.set('vintem:doctor', '1', { PX: 1 }), REDIS_CHECK_TIMEOUT_MS)
    return reportOk('redis: can be written')
  } catch (error) {
    return reportFailure(
      `redis: ${getErrorReason(error)}`,
      'check REDIS_URL, and that it names a running primary; meanwhile each process counts rate limits on its own',
    )
  } finally {
    client.destroy()
  }
}

async function checkMail({ smtpUrl, mailFrom }: Config) {
  if (!smtpUrl) return reportOk('mail: no SMTP_URL here, so no server was tried')
  const smtp = openSmtp(smtpUrl, mailFrom)
  try {
    await smtp.verify()
    return reportOk('mail: the server of SMTP_URL answers and accepts the login')
  } catch (error) {
    return reportFailure(
      `mail: ${getErrorReason(error).trim()}`,
      'check SMTP_URL: smtps:// is for port 465 and smtp:// for 587; NODE_EXTRA_CA_CERTS names the file of a CA of your own; until then e-mails wait, for five days at most',
    )
  } finally {
    await smtp.close()
  }
}
