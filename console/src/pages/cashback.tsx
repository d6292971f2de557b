import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Actions } from '../ui/actions.tsx'
import { History } from '../ui/history.tsx'
import { PlayerLink, PrizeLink } from '../ui/links.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Id, Money, State, Time, formatMoney, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

/** One cashback: its data, the wallet's answers and its history. */
export function CashbackPage() {
  const { params } = useRoute()
  const { casinoId = '', cashbackId = '' } = params
  const { value, error, reload } = useQuery(`cashback ${casinoId} ${cashbackId}`, async (signal) => {
    const path = { casino_id: casinoId, cashback_id: cashbackId }
    const answer = await answered(
      api.GET('/admin/casinos/{casino_id}/cashbacks/{cashback_id}', { params: { path }, signal }),
    )
    return answer.data
  })
  if (value === undefined)
    return error === undefined ? <Loading what="the cashback" /> : <Failure error={error} retry={reload} />
  return (
    <Page
      title={`Cashback of ${formatMoney(value)}`}
      trail={[{ href: casinoPath(casinoId, '/cashbacks'), label: 'Cashbacks' }]}
      aside={<State state={value.state} />}
    >
      <Section title="Cashback">
        <Facts
          facts={[
            ['Cashback', <Id key="cashback" id={value.cashback_id} />],
            ['Prize', <PrizeLink key="prize" casinoId={casinoId} prizeId={value.prize_id} />],
            ['Player', <PlayerLink key="player" casinoId={casinoId} playerId={value.player_id} />],
            [
              'Wallet',
              value.wallet === null ? '–' : value.wallet === 'ledger' ? 'this service' : 'the casino’s',
            ],
            ['Attempts', value.attempts],
            ['Problem', value.problem === null ? 'none' : wordsOf(value.problem)],
            [
              'Wallet reference',
              value.wallet_reference === null ? '–' : <Given text={value.wallet_reference} />,
            ],
            ['Requested', <Time key="created" at={value.created_at} />],
            ['Last change', <Time key="updated" at={value.updated_at} />],
          ]}
        />
      </Section>
      <Section title="Answers of the wallet">
        {value.wallet_answers.length === 0 ? (
          <Empty>The casino’s wallet has not answered.</Empty>
        ) : (
          <Table
            caption="Answers of the wallet"
            columns={answerColumns}
            rows={value.wallet_answers}
            keyOf={({ transaction_id: id, attempt, operation }) => `${operation} ${id} ${attempt}`}
          />
        )}
      </Section>
      <Section title="What can be done">
        <Actions
          object={{
            ...value,
            path: `/admin/casinos/${encodeURIComponent(casinoId)}/cashbacks/${encodeURIComponent(value.cashback_id)}`,
          }}
          onDone={reload}
        />
      </Section>
      <Section title="History">
        <History entries={value.history} />
      </Section>
    </Page>
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
