// The options that commands share, and what may be given in them.

import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../database/enums.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../http/fields.ts'
import { textField } from '../http/text.ts'
import { defineFlag, type Option } from './command.ts'

/** For findCompanyByIdOrName. */
export const companyOption: Option<string> = {
  value: 'ID|NAME',
  about: 'The company, by its id or its exact name.',
  parse: createOptionParser(textField({ min: 1, max: NAME_MAX_LENGTH })),
  mustBe: `a company's id or its name of 1 to ${NAME_MAX_LENGTH} characters`,
}

/** For findCompanyOrOnly. */
export const companyOrOnlyOption: Option<string> = {
  ...companyOption,
  about: 'The company, by its id or its exact name (default: the only one there is).',
}

/** For chooseEnvironment. */
export const environmentOptions = {
  test: defineFlag('Of the test environment (default until a provider is chosen in the real one).'),
  live: defineFlag('Of the real environment (default from then on).'),
}

export const emailOption: Option<string> = {
  value: 'EMAIL',
  about: 'The e-mail that the person signs in with.',
  parse: createOptionParser(z.email().max(EMAIL_MAX_LENGTH).toLowerCase()),
  mustBe: 'an e-mail address such as ana@example.com.br',
}

export function nameOption(about: string): Option<string> {
  return {
    value: 'NAME',
    about,
    parse: createOptionParser(textField({ min: 1, max: NAME_MAX_LENGTH })),
    mustBe: `1 to ${NAME_MAX_LENGTH} characters, none of them invisible`,
  }
}

export function idOption(about: string): Option<string> & { positional: true } {
  return {
    value: 'ID',
    about,
    parse: createOptionParser(z.uuid().toLowerCase()),
    mustBe: 'an id such as 0199f3c1-5d2e-7c3a-9b41-2f6f0c1d8e7a',
    positional: true,
  }
}

export function choiceOption<const T extends string>(
  values: readonly T[],
  about: string,
): Option<T> {
  return {
    value: values.join('|'),
    about,
    parse: (given) => values.find((value) => value === given),
    mustBe: `one of ${values.join(', ')}`,
  }
}

/** @param otherwise What it is when it is not given. */
export function eventsOption(otherwise: string): Option<EventType[]> {
  return {
    value: 'EVENT,…',
    about: `Which of ${EVENT_TYPES.join(', ')} (default: ${otherwise}).`,
    parse: parseEventTypes,
    mustBe: `some of ${EVENT_TYPES.join(', ')}, with commas between`,
  }
}

function parseEventTypes(text: string): EventType[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  const events = EVENT_TYPES.filter((event) => names.includes(event))
  return names.every((name) => EVENT_TYPES.some((event) => event === name)) ? events : undefined
}

/** Undefined for what the schema refuses. */
export function createOptionParser<T>(schema: z.ZodType<T>) {
  return (given: string) => schema.safeParse(given).data
}
