import { useQuery } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatUsd } from "../../format/number.ts";
import { type TokenIdentity, tokenIdentityQuestion, tokenPriceQuestion } from "../../questions/token.ts";
import { Answered } from "../../ui/answered.tsx";
import { WalletLink } from "../../ui/links.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { useTitle } from "../../ui/title.ts";
import { CandlesPanel } from "./candles-panel.tsx";
import { useToken } from "./token-choices.ts";
import { TokenHead } from "./token-head.tsx";
import { TokenParts } from "./token-parts.tsx";

/** The room of a whole page until it is known what the token is. */
const HEIGHT = 900;

/** A token: its price, its candles, its trades, pools and holders. */
export function TokenPage() {
  const { chain, address } = useToken();
  const identity = useQuery(tokenIdentityQuestion(chain, address));
  return (
    <Answered query={identity} height={HEIGHT}>
      {(known) => <Known key={`${chain} ${address}`} {...known} />}
    </Answered>
  );
}

function Known({ token, isPool }: TokenIdentity) {
  const { chain, address } = useToken();
  const price = useQuery(tokenPriceQuestion(chain, address));
  const symbol = token?.symbol || shortHex(address);
  const usd = price.data?.price_usd ?? null;
  useTitle(`${symbol}${usd === null ? "" : ` ${formatUsd(usd)}`} · ${chain} · Quarry`);
  if (token === null) return <UnknownToken />;
  return (
    <Page>
      <TokenHead token={token} isPool={isPool} price={price} />
      <CandlesPanel symbol={symbol} />
      <TokenParts symbol={symbol} decimals={token.decimals} />
    </Page>
  );
}

function UnknownToken() {
  const { chain, address } = useToken();
  return (
    <>
      <h1 className="visually-hidden">Unknown token {address}</h1>
      <Notice>
        No token has been seen at {address} on {chain}: none moved there and none has a pool, in the blocks
        that are indexed. It may be a token of another chain, or a wallet: see{" "}
        <WalletLink chain={chain} address={address} />.
      </Notice>
    </>
  );
}
