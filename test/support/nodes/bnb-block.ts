import { fromBytes, type Hex } from "../../../src/lib/hex.ts";
import { bloomOf } from "../../../src/sources/verify/bloom.ts";
import { headerHash } from "../../../src/sources/verify/header.ts";
import { orderedRoot } from "../../../src/sources/verify/ordered-root.ts";
import { encodeReceipt } from "../../../src/sources/verify/receipt.ts";
import { parseBlock, parseReceipts } from "../../../src/sources/wire/parse.ts";

export const BNB_BLOCK_NUMBER = 55_475_596;

/** The gas limit of the transactions that validators add to their blocks: half of a uint64's range. */
export const SYSTEM_GAS_LIMIT = 2n ** 63n - 1n;

/**
 * Block 55,475,596 of BNB Smart Chain's testnet, after Lorentz and Maxwell: `mixHash` has the milliseconds of
 * its time, and the last transaction is the validator's deposit. The data is public.
 */
export const BNB_BLOCK = {
  hash: "0x053e82c0a815b741826b338cb3fd1346a098ea0d69dcca5f56673731279be1db",
  parentHash: "0xdd0eaf7f4e73b61b6b232358e235ee879b8e321d7c8f976c4242db55275c80a2",
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: "0x90409f56966b5da954166eb005cb1a8790430ba1",
  stateRoot: "0x8cd0286815e0e5afc095bf6a1aed01e82e906f23b8f8536149a31e0d42c0b01c",
  transactionsRoot: "0x406e687cb846a88d971394b5f1927ef01287cd8c0a2cfe20817d345517f78d38",
  receiptsRoot: "0x90bb10b203eb8e2462bff1cc0a0055b20d74f7d31b354243dd1950b06cf30c80",
  logsBloom: [
    "0x0000080040000000000100400000200000204000000000000000020000000000000010800000000000000000000000",
    "000008000000000000000000000020000000400004008000000000000810000000221000020000000000000000001000",
    "02000810200002000000000000010000000a000000000000000000001000000000000000200000000000000000000200",
    "000100040000400000840000000000002002000000000000200800000002800000000000000000000000000000000000",
    "000000000200000000000014000000000000000000000000100010400200000000001080000000000001000004000001",
    "0000008000000000004100000000001000",
  ].join(""),
  difficulty: "0x2",
  number: "0x34e7d8c",
  gasLimit: "0x5e29eed",
  gasUsed: "0x83351",
  timestamp: "0x6855884c",
  extraData: [
    "0xd88301050d846765746888676f312e32332e39856c696e757800000038469028f8b27fb860a721d42755113b5cbdac",
    "611e235d97b9119eb22a44b9e14c0be9db09726ca0e4daad7b0897608eba03e70d8bb516ed740257857fbaa2f7d2213e",
    "eba4f4481b62b8fe89de0ef1a562abc3ff84810b38647420407ebf0847d048148afbf523c051f84c84034e7d8aa06e13",
    "16485b6da89f3d4c0e434d9206488843a4a9e54462ab8746976e57822dfd84034e7d8ba0dd0eaf7f4e73b61b6b232358",
    "e235ee879b8e321d7c8f976c4242db55275c80a280f33ec24f7c83f578fcd505ae3a1b83c424f04098df9382b97cc81d",
    "5f28221d6b67c789880790fc9427d2e156bb9ad51eeb4efa479fa429cf4f1f11263a3cbdd700",
  ].join(""),
  mixHash: "0x00000000000000000000000000000000000000000000000000000000000000fa",
  nonce: "0x0000000000000000",
  baseFeePerGas: "0x0",
  withdrawalsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  blobGasUsed: "0x0",
  excessBlobGas: "0x0",
  parentBeaconBlockRoot: "0x0000000000000000000000000000000000000000000000000000000000000000",
  requestsHash: "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  totalDifficulty: "0x6993713",
  size: "0x681",
  uncles: [],
  transactions: [
    {
      type: "0x0",
      chainId: "0x61",
      nonce: "0xd1",
      gasPrice: "0x66758af",
      gas: "0x6b155",
      to: "0x58cfe0e9e376981c1b7ba7cd2673a08f60690625",
      value: "0x0",
      input: [
        "0x59968288",
        "0000000000000000000000000000000000000000000000000e8b3e728c9c0000",
        "00000000000000000000000000000000000000000000000014d1120d7b160000",
        "0000000000000000000000000000000000000000000000000000000000000001",
        "0000000000000000000000000000000000000000005d868f081b9da000000000",
      ].join(""),
      r: "0x5e6b0334111df188c74ef165b6f44a640e250f6ff1a14783c02f3ca9d98bf53d",
      s: "0x38f233b657879682c0a782e1c50c36b0f282e4475e31fc655218553bdbda70bf",
      v: "0xe6",
      hash: "0xca6df32828acd652070f3751a83af313c57bc8095115d6631f93948d200371a8",
      transactionIndex: "0x0",
      from: "0x2dfd57da36f1ff5c11fa5047c7843ad5ddc28e35",
    },
    {
      type: "0x0",
      chainId: "0x61",
      nonce: "0x35c",
      gasPrice: "0x64babf8",
      gas: "0x73c04",
      to: "0x64e6416d5ef820f23e09c53adf6ac4ab061a305d",
      value: "0x0",
      input: [
        "0x46322c37",
        "00000000000000000000000000000000000000000000000000000000000006ef",
        "0000000000000000000000000000000000000000000000000de0b6b3a7640000",
        "0000000000000000000000000000000000000000000000000000000000000000",
      ].join(""),
      r: "0x996409d184b4c8126f89203f52d660c629ad201edfee40be1257bbb60d5448a1",
      s: "0x11a3f508ccf29805e30a9257d2c6abd8123cc2cea720023a2276728a60017d34",
      v: "0xe6",
      hash: "0x0432ec67be63215640d00b338ddd5b58a78b5c65bd069d2434737f39030ed882",
      transactionIndex: "0x1",
      from: "0xdfd0b7f8ad5ceb600acac6524395c2886f4a11a8",
    },
    {
      type: "0x0",
      chainId: "0x61",
      nonce: "0x950",
      gasPrice: "0x5f5e100",
      gas: "0x67ae",
      to: "0x14fb578f334bd6cfa80dedcabcc173620d56801c",
      value: "0x0",
      input: [
        "0x095ea7b3",
        "000000000000000000000000d99d1c33f9fc3444f8101754abc46c52416550d1",
        "000000000000000000000000000000000000000000084595161401484a000000",
      ].join(""),
      r: "0x903d63ec55f53957346833f32b63ee4015021e442b0df9a3295f74883cd27e0a",
      s: "0x15ba87bb025c4db7aba180aad2bfd55652c3dfbc152f22020896c3b60d7d9e64",
      v: "0xe5",
      hash: "0x8cba86a8ace29d59fbe0058a2b6993f09408d8ebfc3e4931ea7f28ab2f5f21d6",
      transactionIndex: "0x2",
      from: "0x2256be9c1832750fce12f309638e55cb26714607",
    },
    {
      type: "0x0",
      chainId: "0x61",
      nonce: "0x5851f",
      gasPrice: "0x0",
      gas: "0x7fffffffffffffff",
      to: "0x0000000000000000000000000000000000001000",
      value: "0x2e9cc0fb2d84",
      input: "0xf340fa0100000000000000000000000090409f56966b5da954166eb005cb1a8790430ba1",
      r: "0x360f39b1f54a9187df0212129971ee10dfd9be23c639882dba33c8df4c87273d",
      s: "0x50d56bd784de7546e3808f9c0bcb424de42986dde80aa1f1d746940c62349395",
      v: "0xe6",
      hash: "0x5a5581d8d9dbd5ad3ac6f8ad1674140ef9bb77e47d77690d974049ac9dc74b92",
      transactionIndex: "0x3",
      from: "0x90409f56966b5da954166eb005cb1a8790430ba1",
    },
  ],
  withdrawals: [],
  milliTimestamp: "0x1978e1c69da",
};

/** The deposit's event from the validators' contract: `validatorDeposit(address indexed, uint256)`. */
const DEPOSIT_LOG = {
  address: "0x0000000000000000000000000000000000001000",
  topics: [
    "0x93a090ecc682c002995fad3c85b30c5651d7fd29b0be5da9d784a3302aedc055",
    "0x00000000000000000000000090409f56966b5da954166eb005cb1a8790430ba1",
  ],
  data: "0x00000000000000000000000000000000000000000000000000002e9cc0fb2d84",
};

/** Cumulative gas after each transaction. The last value is the header's. */
const CUMULATIVE_GAS = [300_000, 500_000, 520_000, 537_425];

/**
 * Returns the block with receipts. The real receipts are not public, so these are made up, and the header
 * commits to them: its receipts root, bloom and hash differ from the real ones.
 */
export function bnbBlockWithReceipts() {
  const last = BNB_BLOCK.transactions.length - 1;
  const receipts = BNB_BLOCK.transactions.map(({ hash }, i) => {
    const place = { transactionHash: hash, transactionIndex: hex(i), ...IN_BLOCK };
    return {
      ...place,
      ...{ status: "0x1", type: "0x0", contractAddress: null, logsBloom: null },
      cumulativeGasUsed: hex(CUMULATIVE_GAS[i] ?? 0),
      gasUsed: hex((CUMULATIVE_GAS[i] ?? 0) - (CUMULATIVE_GAS[i - 1] ?? 0)),
      logs: i === last ? [{ ...DEPOSIT_LOG, ...place, logIndex: "0x0" }] : [],
    };
  });
  const parsed = parseReceipts(receipts, BNB_BLOCK_NUMBER);
  const block = {
    ...BNB_BLOCK,
    receiptsRoot: orderedRoot(parsed.map((receipt) => encodeReceipt(receipt, 0))),
    logsBloom: fromBytes(bloomOf(parsed.flatMap(({ logs }) => logs))),
  };
  const hash = headerHash(parseBlock(block, BNB_BLOCK_NUMBER));
  const inThis = <T extends object>(part: T) => ({ ...part, ...IN_BLOCK, blockHash: hash });
  return {
    block: { ...block, hash, transactions: block.transactions.map(inThis) },
    receipts: receipts.map((receipt) => ({ ...inThis(receipt), logs: receipt.logs.map(inThis) })),
  };
}

const IN_BLOCK = { blockNumber: BNB_BLOCK.number, blockHash: BNB_BLOCK.hash };

function hex(value: number): Hex {
  return `0x${value.toString(16)}`;
}
