import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { whileItMoves } from '../polling.ts'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { PlayerLink, PrizeLink } from '../ui/links.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Id, Money, State, Time, formatMoney, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** One cashback: its data, the wallet's answers and its history. */
export function CashbackPage() {
  const { params } = useRoute()
  const { casinoId = '', cashbackId = '' } = params
  const query = useQuery(
    `cashback ${casinoId} ${cashbackId}`,
    async (signal) => {
      const path = { casino_id: casinoId, cashback_id: cashbackId }
      const answer = await answered(
        api.GET('/admin/casinos/{casino_id}/cashbacks/{cashback_id}', { params: { path }, signal }),
      )
      return answer.data
    },
    whileItMoves,
  )
  return (
    <ObjectPage
      query={query}
      what="the cashback"
      untitled={`Cashback ${cashbackId}`}
      titleOf={(cashback) => `Cashback of ${formatMoney(cashback)}`}
      asideOf={({ state }) => <State state={state} />}
      trail={[{ href: casinoPath(casinoId, '/cashbacks'), label: 'Cashbacks' }]}
    >
      {(cashback) => <AboutCashback casinoId={casinoId} cashback={cashback} onDone={query.reload} />}
    </ObjectPage>
  )
}

function AboutCashback({
  casinoId,
  cashback,
  onDone,
}: {
  casinoId: string
  cashback: Schemas['CashbackDetails']
  onDone: () => void
}) {
  return (
    <>
      <Section title="Cashback">
        <Facts
          facts={[
            ['Cashback', <Id key="cashback" id={cashback.cashback_id} />],
            ['Prize', <PrizeLink key="prize" casinoId={casinoId} prizeId={cashback.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={cashback.player_id} />],
            [
              'Wallet',
              cashback.wallet === null ? '–' : cashback.wallet === 'ledger' ? 'this service' : 'the casino’s',
            ],
            ['Attempts', cashback.attempts],
            ['Problem', cashback.problem === null ? 'none' : wordsOf(cashback.problem)],
            [
              'Wallet reference',
              cashback.wallet_reference === null ? '–' : <Given text={cashback.wallet_reference} />,
            ],
            ['Requested', <Time key="created" at={cashback.created_at} />],
            ['Last change', <Time key="updated" at={cashback.updated_at} />],
          ]}
        />
      </Section>
      <Section title="Answers of the wallet">
        {cashback.wallet_answers.length === 0 ? (
          <Empty>The casino’s wallet has not answered.</Empty>
        ) : (
          <Table
            caption="Answers of the wallet"
            columns={answerColumns}
            rows={cashback.wallet_answers}
            keyOf={({ transaction_id: id, attempt, operation }) => `${operation} ${id} ${attempt}`}
          />
        )}
      </Section>
      <Section title="What can be done">
        <Actions
          object={{
            ...cashback,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/cashbacks/${encodeURIComponent(cashback.cashback_id)}`,
          }}
          onDone={onDone}
        />
      </Section>
      <Section title="History">
        <History entries={cashback.history} />
      </Section>
    </>
  )
}

const answerColumns: Column<Schemas['WalletAnswer']>[] = [
  { name: 'Call', render: ({ operation, attempt }) => `${operation}, attempt ${attempt}` },
  {
    name: 'Outcome',
    render: ({ outcome, decline_code: code }) => wordsOf(code === null ? outcome : `${outcome}: ${code}`),
  },
  {
    name: 'Amount',
    render: ({ amount_minor: amount, currency }) => (
      <Money amount={amount === null || currency === null ? null : { amount_minor: amount, currency }} />
    ),
  },
  {
    name: 'Reference',
    render: ({ wallet_reference: reference }) => (reference === null ? '–' : <Given text={reference} />),
  },
  { name: 'Contradicts', render: ({ contradicts }) => (contradicts ? 'an earlier answer' : 'no') },
]
