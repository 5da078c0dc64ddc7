import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

/**
 * DODO V2: the factories of vending machines (DVM), private pools (DPP), and stable pools (DSP, GSP).
 * Sources: DODOEX/contractV2 (config) and DefiLlama-Adapters (projects/dodo).
 *
 * The list leaves out the factories of private pools from before October 2021 (0x6b4fa0bc… and 0xb5dc5e18… on
 * Ethereum, 0x95e887ad… on Polygon). Anyone could register any contract in them (initDODOPrivatePool).
 */
function dodoV2(firstBlock: number, factories: readonly Hex[]): Deployment[] {
  return factories.map((factory) => ({
    protocol: "dodo_v2",
    family: "dodo-v2",
    factory,
    ...(factory === DSP_ETHEREUM && { pools: [DAI_USDT] }),
    initCodeHash: null,
    fee: null,
    firstBlock,
  }));
}

const DSP_ETHEREUM: Hex = "0x6fddb76c93299d985f4d3fc7ac468f9a168577a4";
/** The stable pool with the most volume on Ethereum. */
const DAI_USDT: Hex = "0x3058ef90929cb8180174d74c507176cca6835d73";

/** The pools of DODOZoo, as Dune's spellbook lists them (dodo_ethereum_base_trades.sql). */
const V1_POOLS: readonly Hex[] = [
  "0x75c23271661d9d143dcb617222bc4bec783eff34", // WETH/USDC
  "0x562c0b218cc9ba06d9eb42f3aef54c54cc5a4650", // LINK/USDC
  "0x0d04146b2fe5d267629a7eb341fb4388dcdbd22f", // COMP/USDC
  "0xca7b0632bd0e646b0f823927d3d2e61b00fe4d80", // SNX/USDC
  "0xc226118fcd120634400ce228d61e1538fb21755f", // LEND/USDC
  "0x2109f78b46a789125598f5ad2b7f243751c2934d", // WBTC/USDC
  "0x1b7902a66f133d899130bf44d7d879da89913b2e", // YFI/USDC
  "0x1a7fe5d6f0bb2d071e16bdd52c863233bbfd38e9", // WETH/USDT
  "0xc9f93163c99695c6526b799ebca2207fdf7d61ad", // USDT/USDC
  "0xd4a36b0acfe2931cf922ea3d91063ddfe4aff01f", // sUSD/USDT
  "0x8876819535b48b551c9e97ebc07332c7482b4b2d", // DODO/USDT
  "0x9d9793e1e18cdee6cf63818315d55244f73ec006", // FIN/USDT
  "0x94512fd4fb4feb63a6c0f4bedecc4a00ee260528", // AAVE/USDC
  "0x85f9569b69083c3e6aeffd301bb2c65606b5d575", // wCRES/USDT
  "0x181d93ea28023bf40c8bb94796c55138719803b4", // WOO/USDT
  "0xd48c86156d53c0f775f40883391a113fc0d690d0", // ibEUR/USDT
];

const DODO_ZOO: Deployment = {
  protocol: "dodo_v1",
  family: "dodo-v1",
  factory: "0x3a97247df274a17c59a3bd12735ea3fcdfb49950",
  pools: V1_POOLS,
  initCodeHash: null,
  fee: null,
  firstBlock: 10_613_640,
};

export const dodoEthereum: readonly Deployment[] = [
  DODO_ZOO,
  ...dodoV2(10_613_640, [
    "0x72d220ce168c4f361dd4dee5d826a01ad8598f6c", // DVM
    "0x5336ede8f971339f6c0e304c66ba16f1296a2fbe", // DPP
    DSP_ETHEREUM,
    "0x710409d2121b7c8ea4acadd6803fde2d85df6473", // GSP
  ]),
];

export const dodoBase: readonly Deployment[] = dodoV2(1_996_181, [
  "0x0226fce8c969604c3a0ad19c37d1fafac73e13c2", // DVM
  "0xc0f9553df63de5a97fe64422c8578d0657c360f7", // DPP
  "0x200d866edf41070de251ef92715a6ea825a5eb80", // DSP
]);

export const dodoPolygon: readonly Deployment[] = dodoV2(14_604_330, [
  "0x79887f65f83bdf15bcc8736b5e5bcdb48fb8fe13", // DVM
  "0xd24153244066f0afa9415563bfc7ba248bfb7a51", // DPP
  "0x43c49f8dd240e1545f147211ec9f917376ac1e87", // DSP
]);
