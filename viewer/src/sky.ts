// The background: bright behind the robot, darker towards the corners.
import { CanvasTexture, Color, SRGBColorSpace } from 'three';
import type { Theme } from './theme';

const edge = 128; // pixels; it is stretched over the view

export function skyTexture(theme: Theme): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = edge;
  const context = canvas.getContext('2d')!;
  const gradient = context.createRadialGradient(
    edge / 2,
    edge * 0.4,
    0,
    edge / 2,
    edge * 0.4,
    edge * 0.75,
  );
  const sky = new Color(theme.sky);
  const bright = sky.clone().lerp(new Color(0xffffff), theme.dark ? 0.05 : 0.75);
  const dim = sky.clone().lerp(new Color(0x2a3444), theme.dark ? 0.15 : 0.07);
  gradient.addColorStop(0, bright.getStyle());
  gradient.addColorStop(0.5, sky.getStyle());
  gradient.addColorStop(1, dim.getStyle());
  context.fillStyle = gradient;
  context.fillRect(0, 0, edge, edge);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
