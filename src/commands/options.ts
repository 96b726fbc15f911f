import { Argument, type Command, Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { parseBy } from './command.ts'

export function companyOption(about = 'The company, by its id or name.') {
  return new Option('--company <ID|NAME>', about)
}

export function companyOrOnlyOption() {
  return companyOption('The company, by its id or name (default: the only one).')
}

export function testOption(
  about = 'The test environment (default until a provider is chosen in the live one).',
) {
  return new Option('--test', about).conflicts('live')
}

export function liveOption(about = 'The live environment (default from then on).') {
  return new Option('--live', about)
}

/** Adds a verb that lists rows of both environments, or of one (isOfEnvironment). */
export function addListCommand(noun: Command) {
  return noun
    .command('list')
    .addOption(companyOption())
    .addOption(testOption('Only the test environment.'))
    .addOption(liveOption('Only the live environment.'))
}

/** Adds a verb about one environment of a company, for printingInEnvironment. */
export function addEnvironmentCommand(noun: Command, verb: string) {
  return noun
    .command(verb)
    .addOption(companyOption().makeOptionMandatory())
    .addOption(testOption())
    .addOption(liveOption())
}

export function emailOption(about = 'The e-mail that the person signs in with.') {
  const schema = z.email().max(EMAIL_MAX_LENGTH).toLowerCase()
  const parse = parseAs(schema, 'an e-mail address such as ana@example.com.br')
  return new Option('--email <EMAIL>', about).argParser(parse)
}

export function nameOption(about: string) {
  const mustBe = `1 to ${NAME_MAX_LENGTH} characters, none of them invisible`
  const parse = parseAs(textField({ min: 1, max: NAME_MAX_LENGTH }), mustBe)
  return new Option('--name <NAME>', about).argParser(parse).makeOptionMandatory()
}

export function idArgument(about: string) {
  const mustBe = 'an id such as 0199f3c1-5d2e-7c3a-9b41-2f6f0c1d8e7a'
  return new Argument('<ID>', about).argParser(parseAs(z.uuid().toLowerCase(), mustBe))
}

export function eventsOption(otherwise: string) {
  const names = EVENT_TYPES.join(', ')
  return new Option('--events <EVENT,…>', `Some of ${names} (default: ${otherwise}).`).argParser(
    parseBy(parseEventTypes, `some of ${names}, with commas between`),
  )
}

function parseEventTypes(text: string): EventType[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const events = EVENT_TYPES.filter((event) => names.includes(event))
  return names.every((name) => EVENT_TYPES.some((event) => event === name)) ? events : undefined
}

export function parseAs<T>(schema: z.ZodType<T>, mustBe: string) {
  return parseBy((text) => schema.safeParse(text).data, mustBe)
}
