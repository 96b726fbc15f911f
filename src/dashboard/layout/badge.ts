// How something stands, in a word and a colour (views/dashboard/parts/badge.eta).
export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

export type Badge = { tone: Tone; text: string }
