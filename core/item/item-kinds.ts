/** The kinds of items: something to send, money, something that the casino itself grants, or no win. */
export const itemKinds = ['physical', 'cash', 'bonus', 'none'] as const
export type ItemKind = (typeof itemKinds)[number]
