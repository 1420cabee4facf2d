// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// The pictures of the report: package report describes the data.
const { scene, datum, best, samples, pictures } = JSON.parse(document.getElementById('data').textContent);
scene.datum = datum;
const painters = [];
for (const p of pictures) {
  const canvas = document.getElementById(p.name);
  const state = {
    scene: p.scene || scene, status: { best: best && !p.scene ? { at: best } : null }, legend: p.legend, real: real(scene), lines: p.lines, marks: p.marks, texts: p.texts,
    photo: ['mean', 'path'].includes(p.name),
    allSamples: () => p.samples || samples || [],
  };
  const painter = new Painter(canvas, state);
  const [[x0, y0], [x1, y1]] = corners(painter.extent());
  const aspect = Math.min(1.8, Math.max(0.6, (x1 - x0) / (y1 - y0)));
  painters.push([painter, aspect]);
  canvas.style.aspectRatio = aspect;
  if (p.layer) painter.show(decode(p.name, Uint8Array.from(atob(p.layer), (b) => b.charCodeAt(0)).buffer));
  const save = document.createElement('a');
  save.textContent = 'Save as PNG';
  save.href = '#';
  save.download = `${p.name}.png`;
  save.addEventListener('click', () => { save.href = canvas.toDataURL(); });
  canvas.parentElement.querySelector('figcaption').append(' ', save);
}
// On paper a map is smaller than on the screen, and its texts would be too small to read: it is painted anew in its
// size there, finely, with what the style leaves: 118 mm high, 186 mm wide.
addEventListener('beforeprint', () => {
  const px = 96 / 25.4;
  for (const [painter, aspect] of painters) {
    const height = px * Math.min(118, 186 / aspect);
    painter.resize({ clientWidth: height * aspect, clientHeight: height }, 3);
  }
});
addEventListener('afterprint', () => { for (const [painter] of painters) painter.resize(); });
