// Pages for those who carry on name rooms, files and functions: all of them exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const guide = read('.github/CONTRIBUTING.md')

/** The folders of the map, as paths below src. */
function roomsOfMap() {
  const map = /\n```\n([\s\S]*?)\n```/.exec(guide)?.[1] ?? ''
  const path: string[] = []
  return map.split('\n').map((line) => {
    const [, indent = '', name = ''] = /^( *)([a-z-]+)\//.exec(line) ?? []
    path.splice(indent.length / 2, path.length, name)
    return path.join('/')
  })
}

/** Folders of src. */
function roomsOfSource() {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, 'src/').length))
}

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })

/** From the root or from src; a name alone stands for every file that is called so. */
function isThere(path: string) {
  if (!path.includes('/')) return sources.some((file) => basename(file) === path)
  return existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'src', path))
}

test('the map of the rooms shows every room and sub-room, and none that is not there', () => {
  expect(roomsOfMap().sort()).toEqual(roomsOfSource().sort())
})

test.each(['README.md', '.github/CONTRIBUTING.md', '.github/OPERATING.md', '.github/SECURITY.md'])(
  'every file that %s names exists',
  (page) => {
    const named = [
      ...read(page).matchAll(/`([\w./-]*\w\.(?:ts|eta)|(?:src|test|views)\/[\w./-]*)`/g),
    ]

    const lost = named.map(([, path]) => path as string).filter((path) => !isThere(path))

    expect(lost).toEqual([])
  },
)

test('every step of the walk is a function of the file that it names', () => {
  const steps = [...guide.matchAll(/^\| `(\w+)` \| `([\w./-]+\.ts)` \|/gm)]

  const lost = steps.filter(
    ([, name, file]) => !new RegExp(`function\\*? ${name}\\b`).test(read(`src/${file}`)),
  )

  expect(steps.length).toBeGreaterThan(10)
  expect(lost.map(([step]) => step)).toEqual([])
})

test('what is to be found by a function is found by it', () => {
  const places = [...guide.matchAll(/`([\w./-]+\.ts)` \(`(\w+)`\)/g)]

  const lost = places.filter(([, file, name]) => !read(`src/${file}`).includes(`function ${name}`))

  expect(places.length).toBeGreaterThan(2)
  expect(lost.map(([place]) => place)).toEqual([])
})
