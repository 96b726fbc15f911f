// A status as a word and a colour.
import type { Tone } from '../../../transactions/timeline/entry.ts'

export type Badge = { tone: Tone; text: string }
