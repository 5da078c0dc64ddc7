import type { Hex } from "../../lib/hex.ts";
import type { ListedPool } from "../chain.ts";

/*
 * The pools of Curve that no factory created, and the largest pools of its first metapool factory. The
 * sources, which agree, are curvefi/curve-js (constants/pools), and the deployment logs and pool data of
 * curvefi/curve-contract, curvefi/curve-crypto-contract and curvefi/metaregistry.
 */

/** A pool whose shares are a token of metapools. */
interface BasePool extends ListedPool {
  shares: Hex;
}

/**
 * Returns a metapool, which exchanges a coin for shares of a base pool. Its swaps may also name the base
 * pool's tokens.
 */
function meta(address: Hex, coin: Hex, { shares, tokens, underlying = tokens }: BasePool): ListedPool {
  return { address, tokens: [coin, shares], underlying: [coin, ...underlying] };
}

const ETH: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const DAI: Hex = "0x6b175474e89094c44da98b954eedeac495271d0f";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const TUSD: Hex = "0x0000000000085d4780b73119b644ae5ecd22b376";
const BUSD: Hex = "0x4fabb145d64652a948d72533023f6e7a623c7c53";
const SUSD: Hex = "0x57ab1ec28d129707052df4df418d58a2d46d5f51";
const FRAX: Hex = "0x853d955acef822db058eb8505911ed77f175b99e";
/** Pax Dollar. */
const USDP: Hex = "0x8e870d67f660d95d5be530380d0ec0bd388289e1";
const EURS: Hex = "0xdb25f211ab05b1c97d595516f45794528a807ad8";
const WBTC: Hex = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";
const REN_BTC: Hex = "0xeb4c2781e4eba804ce9a9803c67d0893436bb27d";
const SBTC: Hex = "0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6";
const C_DAI: Hex = "0x5d3a536e4d6dbd6114cc1ead35777bab948e3643";
const C_USDC: Hex = "0x39aa39c021dfbae8fac545936693ac917d5e7563";
const A_DAI: Hex = "0x028171bca77440897b824ca71d1c56cac55b68a3";

const THREE_POOL: BasePool = {
  address: "0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7",
  shares: "0x6c3f90f043a72fa612cbac8115ee7e52bde6e490",
  tokens: [DAI, USDC, USDT],
};

const SBTC_POOL: BasePool = {
  address: "0x7fc77b5c7614e1533320ea6ddc2eb61fa00a9714",
  shares: "0x075b1bb99792c9e1041ba13afef80c91a1e70fb3",
  tokens: [REN_BTC, WBTC, SBTC],
};

/** Pools of tokens that trade at about the same price, or of two tokens whose price ratio drifts slowly. */
export const CURVE_STABLE_ETHEREUM: readonly ListedPool[] = [
  THREE_POOL,
  SBTC_POOL,
  // It has the functions and events of a lending pool, but lends nothing.
  {
    address: "0xa5407eae9ba41422680e2e00537571bcc53efbfd",
    tokens: [DAI, USDC, USDT, SUSD],
    underlying: [DAI, USDC, USDT, SUSD],
  },
  {
    address: "0x93054188d876f558f4a66b2ef1d97d16edf0895b",
    shares: "0x49849c98ae39fff122806c06791fa73784fb3675",
    tokens: [REN_BTC, WBTC],
  },
  {
    address: "0xf253f83aca21aabd2a20553ae0bf7f65c755a07f",
    shares: "0x051d7e5609917bd9b73f04bac0ded8dd46a74301",
    tokens: [WBTC, SBTC],
  },
  {
    address: "0x4ca9b3063ec5866a4b82e437059d2c43d1be596f",
    tokens: ["0x0316eb71485b0ab14103307bf65a021042c6d380", WBTC], // HBTC
  },
  { address: "0x1005f7406f32a61bd760cfa14accd2737913d546", tokens: [USDC, USDT] },
  {
    address: "0x4e0915c88bc70750d68c481540f081fefaf22273",
    tokens: [USDC, USDT, "0xa693b19d2931d498c5b318df961919bb4aee87a5", FRAX], // Wormhole UST
  },
  {
    address: "0xdcef968d416a41cdac0ed8702fac8128a64241a2",
    shares: "0x3175df0976dfa876431c2e9ee6bc45b65d3473cc",
    tokens: [FRAX, USDC],
  },
  {
    address: "0xae34574ac03a15cd58a92dc79de7b1a0800f1ce3",
    shares: "0xfc2838a17d8e8b1d5456e0a351b0708a09211147",
    tokens: [FRAX, USDP],
  },
  {
    address: "0x0ce6a5ff5217e38315f87032cf90686c96627caa",
    tokens: [EURS, "0xd71ecff9342a5ced620049e616c5035f1db98620"], // sEUR
  },
  {
    address: "0xf178c0b5bb7e7abf4e12a4838c7b7c5ba2c623c0",
    // LINK, sLINK
    tokens: ["0x514910771af9ca656af840dff83e8264ecf986ca", "0xbbc455cb4f1b9e4bfc4b73970d360c8f032efee6"],
  },
  // Pools with the native coin: sETH, stETH, ankrETH, rETH (StaFi), frxETH, wBETH.
  {
    address: "0xc5424b857f758e906013f3555dad202e4bdb4567",
    tokens: [ETH, "0x5e74c9036fb86bd7ecdcb084a0673efc32ea31cb"],
  },
  {
    address: "0xdc24316b9ae028f1497c275eb9192a3ea0f67022",
    tokens: [ETH, "0xae7ab96520de3a18e5e111b5eaab095312d7fe84"],
  },
  {
    address: "0xa96a65c051bf88b4095ee1f2451c2a9d43f53ae2",
    tokens: [ETH, "0xe95a203b1a91a908f9b9ce46459d101078c2c3cb"],
  },
  {
    address: "0xf9440930043eb3997fc70e1339dbb11f341de7a8",
    tokens: [ETH, "0x9559aaa82d9649c7a7b220e7c461d2e74c9a3593"],
  },
  {
    address: "0xa1f8a6807c402e4a15ef4eba36528a3fed24e577",
    tokens: [ETH, "0x5e8422345238f34275888049021821e8e08caa1f"],
  },
  {
    address: "0xbfab6fa95e0091ed66058ad493189d2cb29385e6",
    tokens: [ETH, "0xa2e3356610840701bdf5611a53974510ae27e2e1"],
  },
  // Lending pools of Compound, yearn, PAX (yearn), Aave and Cream.
  {
    address: "0xa2b47e3d5c44877cca798226b7b8118f9bfb7a56",
    tokens: [C_DAI, C_USDC],
    underlying: [DAI, USDC],
  },
  {
    address: "0x52ea46506b9cc5ef470c5bf89f17dc28bb35d85c",
    tokens: [C_DAI, C_USDC, USDT],
    underlying: [DAI, USDC, USDT],
  },
  {
    address: "0x45f783cce6b7ff23b2ab2d70e416cdb7d6055f51",
    tokens: [
      "0x16de59092dae5ccf4a1e6439d611fd0653f0bd01",
      "0xd6ad7a6750a7593e092a9b218d66c0a814a3436e",
      "0x83f798e925bcd4017eb265844fddabb448f1707d",
      "0x73a052500105205d34daf004eab301916da8190f",
    ],
    underlying: [DAI, USDC, USDT, TUSD],
  },
  {
    address: "0x79a8c46dea5ada233abaffd40f3a0a2b1e5a4f27",
    tokens: [
      "0xc2cb1040220768554cf699b0d863a3cd4324ce32",
      "0x26ea744e5b887e5205727f55dfbe8685e3b21951",
      "0xe6354ed5bc4b393a5aad09f21c46e101e692d447",
      "0x04bc0ab673d88ae9dbc9da2380cb6b79c4bca9ae",
    ],
    underlying: [DAI, USDC, USDT, BUSD],
  },
  {
    address: "0x06364f10b501e868329afbc005b3492902d6c763",
    tokens: [
      "0x99d1fa417f94dcd62bfe781a1213c092a47041bc",
      "0x9777d7e2b60bb01759d0e2f8be2095df444cb07e",
      "0x1be5d71f2da660bfdee8012ddc58d024448a0a59",
      USDP,
    ],
    underlying: [DAI, USDC, USDT, USDP],
  },
  {
    address: "0xdebf20617708857ebe4f679508e7b7863a8a8eee",
    tokens: [
      A_DAI,
      "0xbcca60bb61934080951369a648fb03df4f96263c",
      "0x3ed3b47dd13ec9a98b44e6204a523e766b225811",
    ],
    underlying: [DAI, USDC, USDT],
  },
  {
    address: "0xeb16ae0052ed37f479f7fe63849198df1765a733",
    tokens: [A_DAI, "0x6c5024cd4f8a59110119c56f8933403a539555eb"],
    underlying: [DAI, SUSD],
  },
  {
    address: "0x2dded6da1bf5dbdf597c45fcfaa3194e53ecfeaf",
    tokens: [
      "0x8e595470ed749b85c6f7669de83eae304c2ec68f",
      "0x76eb2fe28b36b3ee97f3adae0c69606eedb2a37c",
      "0x48759f220ed983db51fa7a8c0d2aab8f3ce4166a",
    ],
    underlying: [DAI, USDC, USDT],
  },
  // Metapools: GUSD, HUSD, USDK, USDN, mUSD, RSV, DUSD, UST, USDP (Unit), RAI, LINKUSD.
  meta(
    "0x4f062658eaaf2c1ccf8c8e36d6824cdf41167956",
    "0x056fd409e1d7a124bd7017459dfea2f387b6d5cd",
    THREE_POOL,
  ),
  meta(
    "0x3ef6a01a0f81d6046290f3e2a8c5b843e738e604",
    "0xdf574c24545e5ffecb9a659c229253d4111d87e1",
    THREE_POOL,
  ),
  meta(
    "0x3e01dd8a5e1fb3481f0f589056b428fc308af0fb",
    "0x1c48f86ae57291f7686349f12601910bd8d470bb",
    THREE_POOL,
  ),
  meta(
    "0x0f9cb53ebe405d49a0bbdbd291a65ff571bc83e1",
    "0x674c6ad92fd080e4004b2312b45f796a192d27a0",
    THREE_POOL,
  ),
  meta(
    "0x8474ddbe98f5aa3179b3b3f5942d724afcdec9f6",
    "0xe2f2a5c287993345a840db3b0845fbc70f5935a5",
    THREE_POOL,
  ),
  meta(
    "0xc18cc39da8b11da8c3541c598ee022258f9744da",
    "0x196f4727526ea7fb1e17b2071b3d8eaa38486988",
    THREE_POOL,
  ),
  meta(
    "0x8038c01a0390a8c547446a0b2c18fc9aefecc10c",
    "0x5bc25f649fc4e26069ddf4cf4010f9f706c23831",
    THREE_POOL,
  ),
  meta(
    "0x890f4e345b1daed0367a877a1612f86a1f86985f",
    "0xa47c8bf37f92abed4a126bda807a7b7498661acd",
    THREE_POOL,
  ),
  meta(
    "0x42d7025938bec20b69cbae5a77421082407f053a",
    "0x1456688345527be1f37e9e627da0837d6f08c925",
    THREE_POOL,
  ),
  meta(
    "0x618788357d0ebd8a37e763adab3bc575d54c2c7d",
    "0x03ab458634910aad20ef5f1c8ee96f1d6ac54919",
    THREE_POOL,
  ),
  meta(
    "0xe7a24ef0c5e95ffb0f6684b813a78f2a3ad7d171",
    "0x0e2ec54fc0b509f445631bf4b91ab8168230c752",
    THREE_POOL,
  ),
  // Metapools: tBTC, pBTC, BBTC, oBTC.
  meta("0xc25099792e9349c7dd09759744ea681c7de2cb66", "0x8daebade922df735c38c80c7ebd708af50815faa", SBTC_POOL),
  meta("0x7f55dde206dbad629c080068923b36fe9d6bdbef", "0x5228a22e72ccc52d415ecfd199f99d0665e7733b", SBTC_POOL),
  meta("0x071c661b4deefb59e2a3ddb20db036821eee8f4b", "0x9be89d2a4cd102d8fecc6bf9da793be995c22541", SBTC_POOL),
  meta("0xd81da8d904b52208541bade1bd6595d8a251f8dd", "0x8064d9ae6cdf087b1bcd5bdf3531bd5d8c537a68", SBTC_POOL),
];

/** The largest metapools of the first factory: TUSD, FRAX, LUSD, BUSD, alUSD, MIM. */
export const CURVE_FIRST_METAPOOLS: readonly ListedPool[] = [
  meta("0xecd5e75afb02efa118af914515d6521aabd189f1", TUSD, THREE_POOL),
  meta("0xd632f22692fac7611d2aa1c0d552930d43caed3b", FRAX, THREE_POOL),
  meta(
    "0xed279fdd11ca84beef15af5d39bb4d4bee23f0ca",
    "0x5f98805a4e8be255a32880fdec7f6728c6568ba0",
    THREE_POOL,
  ),
  meta("0x4807862aa8b2bf68830e4c8dc86d0e9a998e085a", BUSD, THREE_POOL),
  meta(
    "0x43b4fdfd4ff969587185cdb6f0bd875c5fc83f8c",
    "0xbc6da0fe9ad5f3b0d58160288917aa56653660e9",
    THREE_POOL,
  ),
  meta(
    "0x5a6a4d54456819380173272a5e8e9b9904bdf41b",
    "0x99d8a9c45b2eca8864373a26d1459e3dff1e17f3",
    THREE_POOL,
  ),
];

/**
 * Pools of tokens with different prices. Pools with `ETH` name WETH as their token but hold the native coin.
 */
export const CURVE_CRYPTO_ETHEREUM: readonly ListedPool[] = [
  // tricrypto, and its successor tricrypto2
  { address: "0x80466c64868e1ab14a1ddf27a676c3fcbe638fe5", tokens: [USDT, WBTC, WETH] },
  { address: "0xd51a44d3fae010294c616388b506acda1bfaae46", tokens: [USDT, WBTC, WETH] },
  { address: "0x98a7f18d4e56cfe84e3d081b40001b3d5bd3eb8b", tokens: [USDC, EURS] },
  // EURT, XAUt, EUROC
  {
    address: "0x9838eccc42659fa8aa7daf2ad134b53984c9427b",
    tokens: ["0xc581b735a1688071a1746c968e0798d642ede491", THREE_POOL.shares],
  },
  {
    address: "0xadcfcf9894335dc340f6cd182afa45999f45fc44",
    tokens: ["0x68749665ff8d2d112fa859aa293f07a622782f38", THREE_POOL.shares],
  },
  {
    address: "0xe84f5b1582ba325fdf9ce6b0c1f087ccfc924e54",
    tokens: ["0x1abaea1f7c830bd89acc67ec4af516284b1bc33c", THREE_POOL.shares],
  },
  // CRV, CVX, SPELL, T
  {
    address: "0x8301ae4fc9c624d1d396cbdaa1ed877821d7c511",
    tokens: [ETH, "0xd533a949740bb3306d119cc777fa900ba034cd52"],
  },
  {
    address: "0xb576491f1e6e5e62f1d8f26062ee822b40b0e0d4",
    tokens: [ETH, "0x4e3fbd56cd56c3e72c1403e103b45db9da5b9d2b"],
  },
  {
    address: "0x98638facf9a3865cd033f36548713183f6996122",
    tokens: [ETH, "0x090185f2135308bad17527004364ebcc2d37e5f6"],
  },
  {
    address: "0x752ebeb79963cf0732e9c0fec72a49fd1defaeac",
    tokens: [ETH, "0xcdf7028ceab81fa0c6971208e83fa7872994bee5"],
  },
];

const AM_WBTC: Hex = "0x5c2ed810328349100a66b82b78a1791b101c9d61";
const AM_WETH: Hex = "0x28424507fefb6f7f8e9d3860f56504e4e5f5f390";

const AAVE_POLYGON: BasePool = {
  address: "0x445fe580ef8d70ff569ab36e80c647af338db351",
  shares: "0xe7a24ef0c5e95ffb0f6684b813a78f2a3ad7d171",
  tokens: [
    "0x27f8d03b3a2196956ed754badc28d73be8830a6e",
    "0x1a13f4ca1d028320a707d99520abfefca3998b7f",
    "0x60d55f02a771d515e077c9c2403a1ef324885cec",
  ],
  // DAI, USDC.e, USDT
  underlying: [
    "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063",
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
  ],
};

/** Lending pools of Aave: am3CRV, and WBTC with renBTC. */
export const CURVE_STABLE_POLYGON: readonly ListedPool[] = [
  AAVE_POLYGON,
  {
    address: "0xc2d95eef97ec6c17551d45e77b590dc1f9117c67",
    shares: "0xf8a57c1d3b9629b77b6726a042ca48990a84fb49",
    tokens: [AM_WBTC, "0xdbf31df14b66535af65aac99c32e9ea844e14501"],
    underlying: ["0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6", "0xdbf31df14b66535af65aac99c32e9ea844e14501"],
  },
];

export const CURVE_CRYPTO_POLYGON: readonly ListedPool[] = [
  // atricrypto and its successor atricrypto3
  { address: "0x751b1e21756bdbc307cbcc5085c042a0e9aaef36", tokens: [AAVE_POLYGON.shares, AM_WBTC, AM_WETH] },
  { address: "0x92215849c439e1f8612b6646060b4e3e5ef822cc", tokens: [AAVE_POLYGON.shares, AM_WBTC, AM_WETH] },
  // EURT, EURS
  {
    address: "0xb446bf7b8d6d4276d0c75ec0e3ee8dd7fe15783a",
    tokens: ["0x7bdf330f423ea880ff95fc41a280fd5ecfd3d09f", AAVE_POLYGON.shares],
  },
  {
    address: "0x9b3d675fdbe6a0935e8b7d1941bc6f78253549b7",
    tokens: ["0xe111178a87a3bff0c8d18decba5798827539ae99", AAVE_POLYGON.shares],
  },
];
