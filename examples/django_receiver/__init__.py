"""A Django app that receives imports: copy this folder into your project. Spec: Events."""
