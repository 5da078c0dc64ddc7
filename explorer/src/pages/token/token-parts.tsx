import { Tabs } from "@base-ui/react/tabs";
import { HoldersPanel } from "./holders-panel.tsx";
import { PoolsPanel } from "./pools-panel.tsx";
import styles from "./token.module.css";
import { useTokenChoices } from "./token-choices.ts";
import type { TokenChoices } from "./token-search.ts";
import { TradesPanel } from "./trades-panel.tsx";

const PARTS = [
  { value: "trades", title: "Trades" },
  { value: "pools", title: "Pools" },
  { value: "holders", title: "Holders" },
] as const;

/** What there is of a token beside its price, one at a time. */
export function TokenParts({ symbol, decimals }: { symbol: string; decimals: number | null }) {
  const [{ part }, choose] = useTokenChoices();
  return (
    <Tabs.Root value={part} onValueChange={(value: TokenChoices["part"]) => choose({ part: value })}>
      <Tabs.List className={styles.tabs} aria-label={`Of ${symbol}`}>
        {PARTS.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value} className={styles.tab ?? ""}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="trades">
        <TradesPanel symbol={symbol} />
      </Tabs.Panel>
      <Tabs.Panel value="pools">
        <PoolsPanel symbol={symbol} />
      </Tabs.Panel>
      <Tabs.Panel value="holders">
        <HoldersPanel symbol={symbol} decimals={decimals} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
