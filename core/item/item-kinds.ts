/** What an item is: something to send, money, something the casino itself grants, or no win at all. */
export const itemKinds = ['physical', 'cash', 'bonus', 'none'] as const
export type ItemKind = (typeof itemKinds)[number]
