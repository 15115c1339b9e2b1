// Names in the picture: always readable, of the same size from everywhere, and in saved pictures.
import {
  CanvasTexture,
  LinearFilter,
  type Object3D,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
} from 'three';
import type { Theme } from './theme';

const fontSize = 13; // pixels on the screen
const sharpness = 2; // pixels of the texture for each of them

export type Side = 'above' | 'below' | 'beside';
/** the point within the text that lies on the labelled one, from its lower left corner */
const anchors: Record<Side, [number, number]> = {
  above: [0.5, -0.2],
  below: [0.5, 1.2],
  beside: [-0.35, 0.5],
};

interface Label {
  sprite: Sprite;
  text: string;
}

export class Labels {
  private readonly labels: Label[] = [];
  private height = 1; // of the picture in pixels
  private theme: Theme | null = null;

  /** Above, below or beside a point of a group. */
  add(text: string, parent: Object3D, position: number[], side: Side): void {
    const sprite = new Sprite(
      new SpriteMaterial({ sizeAttenuation: false, depthTest: false, transparent: true }),
    );
    sprite.position.fromArray(position);
    sprite.center.set(...anchors[side]);
    sprite.renderOrder = 5;
    sprite.raycast = () => undefined;
    parent.add(sprite);
    this.labels.push({ sprite, text });
  }

  show(shown: boolean): void {
    for (const { sprite } of this.labels) sprite.visible = shown;
  }

  get any(): boolean {
    return this.labels.length > 0;
  }

  /** `height` of the picture in pixels, `tangent` of half the angle that it spans. */
  resize(height: number, tangent: number): void {
    this.height = height / (2 * tangent);
    for (const { sprite } of this.labels) this.scale(sprite);
  }

  applyTheme(theme: Theme): void {
    this.theme = theme;
    for (const { sprite, text } of this.labels) {
      sprite.material.map?.dispose();
      sprite.material.map = textTexture(text, this.theme);
      sprite.material.needsUpdate = true;
      this.scale(sprite);
    }
  }

  private scale(sprite: Sprite): void {
    const image = sprite.material.map?.image as HTMLCanvasElement | undefined;
    if (!image) return;
    const unit = 1 / (sharpness * this.height);
    sprite.scale.set(image.width * unit, image.height * unit, 1);
  }
}

function textTexture(text: string, theme: Theme): CanvasTexture {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  const font = `500 ${fontSize * sharpness}px system-ui, sans-serif`;
  context.font = font;
  const margin = 5 * sharpness;
  canvas.width = Math.ceil(context.measureText(text).width) + 2 * margin;
  canvas.height = Math.ceil(fontSize * sharpness * 1.5);
  context.font = font;
  context.textBaseline = 'middle';
  // a rim in the colour of the sky keeps it readable on everything
  context.lineJoin = 'round';
  context.lineWidth = 3 * sharpness;
  context.strokeStyle = theme.sky;
  context.strokeText(text, margin, canvas.height / 2);
  context.fillStyle = theme.ink;
  context.fillText(text, margin, canvas.height / 2);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  // shown at its own size: smaller copies of it would only blur
  texture.generateMipmaps = false;
  texture.minFilter = LinearFilter;
  return texture;
}
