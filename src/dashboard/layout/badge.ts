// How something stands, in a word and a colour.
export type BadgeTone = 'good' | 'bad' | 'waiting' | 'neutral'

export type Badge = { tone: BadgeTone; text: string }
