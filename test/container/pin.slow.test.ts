// `.ci/image/pin` writes the digest that each base image's tag has now.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FILES = ['Dockerfile', 'docker-compose.yml']
const DIGEST = /sha256:[0-9a-f]{64}/g

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vintem-pin-'))
  mkdirSync(join(folder, '.ci'))
  cpSync(join(ROOT, '.ci/image'), join(folder, '.ci/image'), { recursive: true })
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** With a docker that answers by this script; it is asked for the image that is its last argument. */
function runPin(script: string) {
  const docker = `#!/bin/sh\nfor image do :; done\n${script}\n`
  writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  return spawnSync(join(folder, '.ci/image/pin'), { env, encoding: 'utf8' })
}

const readAll = () => FILES.map((file) => readFileSync(join(folder, file), 'utf8')).join('')

test('each image gets the digest of its own tag, and nothing else changes', () => {
  const before = readAll()

  const { status, stdout } = runPin(
    'printf "%s" "$image" | sha256sum | sed "s/^/sha256:/; s/ .*//"',
  )

  const after = readAll()
  const images = stdout.trim().split('\n')
  expect(status).toBe(0)
  expect(images).toHaveLength(5)
  expect(new Set(after.match(DIGEST)).size).toBe(5)
  for (const image of images) expect(after).toContain(image)
  expect(after.match(DIGEST)).not.toEqual(before.match(DIGEST))
  expect(after.replaceAll(DIGEST, '')).toBe(before.replaceAll(DIGEST, ''))
})

test('an image without a digest leaves all as it was', () => {
  const before = readAll()

  const { status, stderr } = runPin('echo')

  expect(status).toBe(1)
  expect(stderr).toMatch(/^pin: \S+ has no digest\n$/)
  expect(readAll()).toBe(before)
})
