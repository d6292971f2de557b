/** The limits of this page: a player cannot learn more than this here. */
export function Explanation() {
  return (
    <details class="explanation">
      <summary>What this page cannot show</summary>
      <ul>
        <li>
          That the casino had published the fingerprint before you played. Note it before, or keep the answers
          of your openings: handed in together with the records, they are compared.
        </li>
        <li>That your last openings are among the records. Count them, and compare with the last number.</li>
        <li>What was in stock when you played.</li>
        <li>
          Anything that the server of this page wants to hide from you: it could be another page. The
          service’s documentation names a small program that you can keep and run yourself.
        </li>
      </ul>
    </details>
  )
}
