import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Deployment } from "../chain.ts";

/**
 * Metric's factories, each with the same address on all of its chains. Only factories that two independent
 * sources list: factories.jsonc of Metricxyz/ever-created-pools, duneanalytics/spellbook
 * (metric_compatible_trades.sql), and DefiLlama/dimension-adapters (dexs/metric, dexs/metric-v1). The first
 * and the last one also have the blocks.
 */
function metric(protocol: string, family: PoolFamily, factory: Hex) {
  return (firstBlock: number): Deployment => ({
    ...{ protocol, family, factory, firstBlock },
    ...{ initCodeHash: null, fee: null },
  });
}

const v0 = metric("metric_v0", "metric-v0", "0xe22f9fc0f04486de25ed6cf1800a4a47afd82e0c");
const v1 = metric("metric_v1", "metric", "0x622911384e7973439b8be305f5e3fc3c5736ede4");
/** The first factory of version 2, which the next one replaced after three weeks. */
const firstV2 = metric("metric_v2", "metric", "0xa32761549a1de40060c194c86a8df24f0a29ba2d");
const v2 = metric("metric_v2", "metric", "0x2a53833cc95548cf52c7b159110e22d3a9018f32");

export const METRIC_ETHEREUM = [v0(24_521_185), v1(25_524_981), firstV2(25_847_896), v2(25_984_373)];
export const METRIC_BASE = [v0(42_540_736), v1(48_585_753), firstV2(50_530_239), v2(51_352_088)];
/** The exact block of the last factory's creation is not known; it is at most 2,000 blocks later. */
export const METRIC_POLYGON = [v0(83_380_134), firstV2(92_763_396), v2(93_858_951)];
