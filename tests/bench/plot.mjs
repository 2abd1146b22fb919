// Cost of one forward pass against tokens, as an SVG: one line per engine, both axes logarithmic.

import { decades, logScale, spread, wholeDecades } from './scale.mjs';
import { median } from './statistics.mjs';
import { duration } from './table.mjs';

const width = 1240;
const height = 640;
const panel = { top: 112, bottom: 560, width: 400 };
const lefts = [104, 700];

const looks = {
  ours: { label: 'attention-live', color: '#0b6bcb', weight: 3 },
  onnxruntime: { label: 'onnxruntime-web', color: '#c2410c', weight: 2 },
  tfjs: { label: 'TensorFlow.js wasm', color: '#7c5cb8', weight: 2 },
  plain: { label: 'plain loop', color: '#6b7280', weight: 2 },
  ceiling: { label: 'ceiling of one thread', color: '#9ca3af', weight: 1.5, dash: '2 4' },
};

const round = (value) => Math.round(value * 10) / 10;
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function write(x, y, text, { anchor = 'middle', size = 13, color = '#374151', weight = 400, extra = '' } = {}) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}" fill="${color}" ` +
    `font-weight="${weight}"${extra}>${escaped(text)}</text>`;
}

const stroke = (points, { color, weight, dash }) =>
  `<polyline fill="none" stroke="${color}" stroke-width="${weight}" stroke-linejoin="round" stroke-linecap="round"` +
  `${dash ? ` stroke-dasharray="${dash}"` : ''} points="${points.map((point) => point.map(round).join(',')).join(' ')}"/>`;

/** Engine → points {tokens, seconds, embedDim}, in order of tokens; the ceiling among them. */
export function seriesOf(cases) {
  const result = {};
  const add = (name, size, seconds) => {
    (result[name] ??= []).push({ tokens: size.tokens, embedDim: size.embedDim, seconds });
  };
  for (const { size, engines, ceilings, operations } of cases) {
    for (const [name, { seconds }] of Object.entries(engines)) add(name, size, seconds);
    add('ceiling', size, operations / median(ceilings));
  }
  for (const points of Object.values(result)) points.sort((a, b) => a.tokens - b.tokens);
  return result;
}

/** Runs of neighbouring points of one width: only these are one curve. */
export function curves(points) {
  const result = [];
  for (const point of points) {
    if (result.at(-1)?.at(-1).embedDim === point.embedDim) result.at(-1).push(point);
    else result.push([point]);
  }
  return result;
}

function axes(left, x, y, sizes, range) {
  const right = left + panel.width;
  const parts = [];
  for (const value of decades(range)) {
    const at = y(value);
    parts.push(`<path d="M${left} ${round(at)}H${right}" stroke="#e5e7eb"/>`);
    parts.push(write(left - 10, at + 4.5, duration(value).replace(/\.0+ /, ' '), { anchor: 'end' }));
  }
  for (const { tokens, embedDim } of sizes) {
    const at = x(tokens);
    parts.push(`<path d="M${round(at)} ${panel.top}V${panel.bottom + 6}" stroke="#f0f1f3"/>`);
    parts.push(write(at, panel.bottom + 22, String(tokens), { color: '#111827' }));
    parts.push(write(at, panel.bottom + 38, `× ${embedDim}`, { size: 11, color: '#6b7280' }));
  }
  parts.push(`<path d="M${left} ${panel.bottom}H${right}" stroke="#9ca3af"/>`);
  parts.push(write((left + right) / 2, panel.bottom + 62, 'tokens × embed_dim'));
  const [upX, upY] = [left - 70, (panel.top + panel.bottom) / 2];
  parts.push(write(upX, upY, 'time of one pass', { extra: ` transform="rotate(-90 ${upX} ${upY})"` }));
  return parts;
}

function onePanel(left, title, cases, dashed, range) {
  const sizes = [...new Map(cases.map(({ size }) => [size.tokens, size])).values()].sort((a, b) => a.tokens - b.tokens);
  const tokens = sizes.map((size) => size.tokens);
  const ends = [Math.min(...tokens) / 1.4, Math.max(...tokens) * 1.4];
  const x = logScale(ends, [left, left + panel.width]);
  const y = logScale(range, [panel.bottom, panel.top]);
  const parts = [write(left, panel.top - 18, title, { anchor: 'start', size: 15, weight: 600, color: '#111827' })];
  parts.push(...axes(left, x, y, sizes, range));

  const place = ({ tokens: count, seconds }) => [x(count), y(seconds)];
  const series = seriesOf(cases);
  const names = Object.keys(looks).filter((name) => series[name]).reverse();
  const last = names.map((name) => place(series[name].at(-1)));
  const labels = spread(last.map(([, at]) => at), 17);
  names.forEach((name, i) => {
    const look = looks[name];
    for (const curve of curves(series[name])) {
      if (curve.length > 1) parts.push(stroke(curve.map(place), look));
      if (name === 'ceiling') continue;
      for (const [cx, cy] of curve.map(place)) {
        parts.push(`<circle cx="${round(cx)}" cy="${round(cy)}" r="${name === 'ours' ? 5 : 4}" fill="#fff" stroke="${look.color}" stroke-width="2"/>`);
      }
    }
    if (name === 'ceiling') {
      for (const [cx, cy] of series[name].map(place)) {
        parts.push(`<path d="M${round(cx - 6)} ${round(cy)}h12" stroke="${look.color}" stroke-width="2"/>`);
      }
    }
    const [endX] = last[i];
    parts.push(write(endX + 12, labels[i] + 4, look.label,
      { anchor: 'start', color: look.color, weight: name === 'ours' ? 700 : 500, size: 12.5 }));
  });
  const masked = seriesOf(dashed).ours ?? [];
  for (const curve of curves(masked)) {
    if (curve.length > 1) parts.push(stroke(curve.map(place), { ...looks.ours, weight: 1.5, dash: '5 5' }));
  }
  return parts;
}

/**
 * @param {import('./rounds.mjs').Case[]} cases
 * @param {string} note what is said below the title
 * @returns {string} SVG
 */
export function plot(cases, note) {
  const seconds = cases.flatMap((each) => Object.values(each.engines).map((engine) => engine.seconds));
  const range = wholeDecades([...seconds, ...cases.map((each) => each.operations / median(each.ceilings))]);
  const of = (keep, lookAhead) => cases.filter((each) => each.keep === keep && each.lookAhead === lookAhead);
  const parts = [
    write(lefts[0] - 76, 34, 'Cost of one forward pass of multi-head attention', {
      anchor: 'start', size: 20, weight: 700, color: '#111827',
    }),
    write(lefts[0] - 76, 54, note, { anchor: 'start', color: '#6b7280' }),
    ...onePanel(lefts[0], 'Every intermediate kept', of(true, false), of(true, true), range),
    ...onePanel(lefts[1], 'Output only', of(false, false), of(false, true), range),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="Inter, Helvetica, Arial, sans-serif"><rect width="${width}" height="${height}" fill="#fff"/>\n` +
    `${parts.join('\n')}\n</svg>\n`;
}
