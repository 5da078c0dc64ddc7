import { hashNumbers } from "./random.ts";
import { type DemoToken, TOKENS } from "./tokens.ts";

// Octaves of noise with periods from 16 seconds to 24 days. Their sum moves like a random walk.
const SHORTEST_SECONDS = 16;
const OCTAVES = 18;
const DAY_SECONDS = 86_400;
const OCTAVE_SCALE = 0.55;

/**
 * Returns a token's "real" value in USD at a time: the hidden price that arbitrageurs know. It depends only
 * on seed, token and time, so a market can resume at any block.
 */
export function hiddenPrice(seed: number, token: DemoToken, time: number): number {
  if (token.dailyVolatility === 0) return token.usd;
  const own = walk(seed, TOKENS.indexOf(token), time) * token.dailyVolatility;
  return token.usd * Math.exp(own + token.beta * walk(seed, -1, time) * MARKET_VOLATILITY);
}

const MARKET_VOLATILITY = 0.025;

function walk(seed: number, stream: number, time: number): number {
  // Makes some weeks calm and others volatile.
  const regime = 1 + 0.6 * noise(seed, [stream, 99], time / (5 * DAY_SECONDS));
  let sum = 0;
  for (let octave = 0; octave < OCTAVES; octave++) {
    const period = SHORTEST_SECONDS * 2 ** octave;
    const amplitude = OCTAVE_SCALE * Math.sqrt(period / DAY_SECONDS);
    sum += amplitude * noise(seed, [stream, octave], time / period) * (period < DAY_SECONDS ? regime : 1);
  }
  return sum;
}

/** Returns value noise between -1 and 1. It is random at whole positions and smooth between them. */
function noise(seed: number, stream: [number, number], position: number): number {
  const whole = Math.floor(position);
  const part = position - whole;
  const left = lattice(seed, stream, whole);
  const right = lattice(seed, stream, whole + 1);
  return left + (right - left) * part * part * (3 - 2 * part);
}

function lattice(seed: number, stream: [number, number], position: number): number {
  return hashNumbers(seed, stream[0] + 7, stream[1], position) / 2 ** 31 - 1;
}
