// Views that people have saved.
import { createSavedView } from '../../../src/users/saved-views.ts'
import { requireKind } from '../kind.ts'
import type { TestApp } from '../test-app.ts'

/** A view of a person's links; answers where it is changed. */
export async function saveLinkView({ db, clock }: TestApp, userId: string, name = 'Festas') {
  const view = { userId, list: 'links', name, query: 'tag=festa' } as const
  const saved = await createSavedView(db, view, clock.now())
  return `/painel/visoes/${requireKind(saved, 'saved').view.id}`
}
