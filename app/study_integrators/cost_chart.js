// Draws error against cost: { title, x, y, curves: [{name, color, kind, points: [[cost, error, words]]}],
// caption }. Uses the parts of chart.js.

function powerOfTen(x) {
  const power = Math.round(Math.log10(x));
  if (power >= -2 && power <= 4) return `${+(10 ** power).toPrecision(1)}`;
  return `10${String(power).replace(/./g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻')}`;
}

function drawDecadeAxes(svg, chart, size, x, y) {
  const whole = (ticks) => ticks.filter((v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9);
  for (const value of whole(x.ticks)) {
    const at = x.place(value);
    element(svg, 'line', { class: 'grid', x1: at, x2: at, y1: size.top, y2: size.bottom });
    element(svg, 'text', { x: at, y: size.bottom + 19, 'text-anchor': 'middle' }, powerOfTen(value));
  }
  for (const value of whole(y.ticks)) {
    const at = y.place(value);
    element(svg, 'line', { class: 'grid', x1: size.left, x2: size.right, y1: at, y2: at });
    element(svg, 'text', { x: size.left - 7, y: at + 4, 'text-anchor': 'end' }, powerOfTen(value));
  }
  element(svg, 'line', { class: 'axis', x1: size.left, x2: size.right, y1: size.bottom, y2: size.bottom });
  element(svg, 'text', { x: (size.left + size.right) / 2, y: size.height - 6, 'text-anchor': 'middle' }, chart.x);
  const middle = (size.top + size.bottom) / 2;
  element(
    svg,
    'text',
    { x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 14 ${middle})` },
    chart.y ?? 'error of the hand [m]',
  );
}

// the names stand in the margin, in the order of the curves' ends
function drawMarginNames(svg, ends, size) {
  ends.sort((a, b) => a.end[1] - b.end[1]);
  const places = spread(
    ends.map((e) => e.end[1]),
    17,
    size.top + 4,
    size.bottom,
  );
  ends.forEach(({ curve, end }, k) => {
    const color = `var(--${curve.color})`;
    element(svg, 'path', {
      class: 'leader',
      stroke: color,
      d: `M${end[0] + 4},${end[1]} L${size.right + 15},${places[k]}`,
    });
    element(
      svg,
      'text',
      { class: 'name', style: `fill: ${color}`, x: size.right + 19, y: places[k] + 4 },
      curve.name,
    );
  });
}

function drawCostCurve(svg, curve, x, y) {
  const color = `var(--${curve.color})`;
  const places = curve.points.map(([cost, error]) => [x.place(cost), y.place(error)]);
  element(svg, 'polyline', {
    class: `curve ${curve.kind}`,
    stroke: color,
    points: places.map((p) => p.map((v) => v.toFixed(1)).join(',')).join(' '),
  });
  places.forEach(([cx, cy], k) => {
    const dot = element(svg, 'circle', { cx, cy, r: 3.6, fill: color });
    element(dot, 'title', {}, `${curve.name}: ${curve.points[k][2]}`);
  });
  return { curve, end: places[places.length - 1] };
}

function drawCostChart(parent, chart) {
  const figure = document.createElement('figure');
  figure.innerHTML = `<h3>${chart.title}</h3>`;
  parent.append(figure);
  const size = sizeOf(chart);
  const svg = element(figure, 'svg', {
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: 'img',
    'aria-label': chart.title,
  });
  const curves = chart.curves.filter((c) => c.points.length > 0);
  const all = (k) => curves.flatMap((c) => c.points.map((p) => p[k]));
  const x = scale(size.left, size.right, Math.min(...all(0)) * 0.8, Math.max(...all(0)) * 1.2, true);
  const y = scale(size.bottom, size.top, Math.min(...all(1)) * 0.5, Math.max(...all(1)) * 2, true);
  drawDecadeAxes(svg, chart, size, x, y);
  drawMarginNames(
    svg,
    curves.map((curve) => drawCostCurve(svg, curve, x, y)),
    size,
  );
  const caption = document.createElement('figcaption');
  caption.innerHTML = bound(chart.caption);
  figure.append(caption);
}
