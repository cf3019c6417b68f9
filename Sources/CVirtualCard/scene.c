#define _GNU_SOURCE
#include "scene.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/// Taps on each side, and the shape of Kaiser's window: -90 dB beyond 0.45 of the rate.
#define HALF 24
#define SHAPE 9.0
#define WINDOW_STEPS 4096

static double window[WINDOW_STEPS + 2];
static pthread_once_t window_made = PTHREAD_ONCE_INIT;

/// The modified Bessel function of order 0, by its series.
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 60; k++) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

static void make_window(void) {
  for (int step = 0; step <= WINDOW_STEPS + 1; step++) {
    double x = (double)step / WINDOW_STEPS;
    window[step] = x >= 1 ? 0 : bessel(SHAPE * sqrt(1 - x * x)) / bessel(SHAPE);
  }
}

int scene_load(struct scene *scene, const char *path, double rate) {
  pthread_once(&window_made, make_window);
  if (!path || !(rate > 0)) return -EINVAL;
  FILE *file = fopen(path, "rb");
  if (!file) return -errno;
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  scene->length = bytes / (long)sizeof(float);
  scene->rate = rate;
  scene->samples = scene->length >= 2 * HALF ? malloc((size_t)scene->length * sizeof(float)) : NULL;
  int status = 0;
  if (!scene->samples) status = -EINVAL;
  else if (fread(scene->samples, sizeof(float), (size_t)scene->length, file)
           != (size_t)scene->length)
    status = -EIO;
  fclose(file);
  return status;
}

void scene_free(struct scene *scene) {
  free(scene->samples);
  scene->samples = NULL;
}

UNWATCHED double scene_at(const struct scene *scene, double time_s) {
  double position = fmod(time_s * scene->rate, (double)scene->length);
  if (position < 0) position += (double)scene->length;
  int64_t whole = (int64_t)floor(position);
  double part = position - (double)whole;
  if (part == 0) return scene->samples[whole % scene->length];
  // sin(π(part − k)) is ±sin(π·part): one sine serves all taps.
  double sine = sin(M_PI * part) / M_PI;
  double sum = 0;
  for (int tap = -HALF + 1; tap <= HALF; tap++) {
    double distance = part - tap;
    double along = fabs(distance) / HALF * WINDOW_STEPS;
    int step = (int)along;
    double shape = window[step] + (along - step) * (window[step + 1] - window[step]);
    int64_t place = (whole + tap + scene->length) % scene->length;
    sum += scene->samples[place] * shape * ((tap & 1) ? -sine : sine) / distance;
  }
  return sum;
}

static uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

double scene_noise(uint64_t seed, int64_t place) {
  uint64_t bits = mix(mix(seed + 0x9e3779b97f4a7c15ULL) + (uint64_t)place);
  // Four uniform numbers of 16 bits: near enough to Gaussian, with variance 4/12.
  double sum = 0;
  for (int part = 0; part < 4; part++) sum += (double)((bits >> (16 * part)) & 0xffff) / 65536 - 0.5;
  return sum * 1.7320508075688772;
}
