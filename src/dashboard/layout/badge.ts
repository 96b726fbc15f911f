// How something stands, in a word and a colour (views/dashboard/parts/badge.eta).
export type BadgeTone = 'good' | 'bad' | 'waiting' | 'neutral'

export type Badge = { tone: BadgeTone; text: string }
