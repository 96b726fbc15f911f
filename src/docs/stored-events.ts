// Events that are read again: a union told apart by `type`, so that a generated client knows what is in
// each. The routes send what was sent, and know no more of it.
import type { OpenApiDocument, Schema } from '../http/openapi/types.ts'
import { EVENT_BODIES } from './webhooks.ts'

/** In place, before fields get their words and examples. */
export function specifyEvents({ components: { schemas } }: Pick<OpenApiDocument, 'components'>) {
  const variants = EVENT_BODIES.map(({ type, name }) => ({ type, name, stored: `Stored${name}` }))
  const { Event: event, EventWithDeliveries: looked } = schemas
  Object.assign(schemas, {
    StoredEvent: pickFields(event, ['createdAt'], 'O que tem todo evento lido de novo.'),
    EventDeliveries: pickFields(looked, ['deliveries'], 'O que foi dele.'),
    EventWithDeliveries: joinSchemas('Event', 'EventDeliveries', 'Um evento, e o que foi dele.'),
    Event: {
      description: 'O que os webhooks disseram; `type` diz qual é.',
      oneOf: variants.map(({ stored }) => buildSchemaRef(stored)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(
          variants.map(({ type, stored }) => [type, buildSchemaRef(stored).$ref]),
        ),
      },
    },
  })
  for (const { name, stored } of variants) {
    schemas[stored] = joinSchemas(name, 'StoredEvent', schemas[name]?.description ?? '')
  }
}

function pickFields(schema: Schema | undefined, names: string[], description: string): Schema {
  const fields = Object.entries(schema?.properties ?? {}).filter(([name]) => names.includes(name))
  return { description, type: 'object', properties: Object.fromEntries(fields), required: names }
}

function joinSchemas(one: string, other: string, description: string): Schema {
  return { description, allOf: [buildSchemaRef(one), buildSchemaRef(other)] }
}

function buildSchemaRef(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
